package dev.kopf4j;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads resources as people write them: {@code kopfexamples.v1.kopf.dev}, {@code (kopf.dev, v1, kopfexamples)}. Pure.
 */
final class SelectorNotation {
    private static final Pattern WITH_VERSION = Pattern.compile("[^.]*\\.v\\d+((alpha|beta)\\d+)?(\\..*)?");

    private SelectorNotation() {}

    static ResourceSelector read(String... parts) {
        return switch (parts.length) {
            case 1 -> single(parts[0]);
            case 2 -> pair(parts[0], parts[1]);
            case 3 -> named(parts[0], parts[1], parts[2]);
            default ->
                throw new HandlerDeclarationException("a resource has one to three parts, as in (\"kopf.dev\", \"v1\","
                        + " \"kopfexamples\"); given: " + Arrays.toString(parts));
        };
    }

    private static ResourceSelector single(String text) {
        int slash = text.lastIndexOf('/');
        if (slash >= 0) {
            throw new HandlerDeclarationException(
                    "a resource name has no slash: '" + text + "'; give the parts apart, as in {\""
                            + text.substring(0, slash) + "\", \"" + text.substring(slash + 1) + "\"}");
        }
        if (text.contains(".") && WITH_VERSION.matcher(text).matches()) {
            String[] parts = text.split("\\.", 3);
            return named(parts.length == 3 ? parts[2] : null, parts[1], parts[0]);
        }
        int dot = text.indexOf('.');
        return dot < 0 ? named(null, null, text) : named(text.substring(dot + 1), null, text.substring(0, dot));
    }

    private static ResourceSelector pair(String first, String name) {
        int slash = first.lastIndexOf('/');
        if (slash >= 0) {
            return named(first.substring(0, slash), first.substring(slash + 1), name);
        }
        return first.equals("v1") ? named("", "v1", name) : named(first, null, name);
    }

    private static ResourceSelector named(@Nullable String group, @Nullable String version, String name) {
        return new SelectorCriteria(group, version, new ResourceNaming.Named(ResourceNaming.Attribute.ANY_NAME, name));
    }
}
