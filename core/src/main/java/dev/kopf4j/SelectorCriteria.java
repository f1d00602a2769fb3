package dev.kopf4j;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The implementation of {@link ResourceSelector}. Immutable.
 *
 * @param groupName the API group; null for any
 * @param versionName the API version; null for the one that the server prefers
 * @param naming how the resources are named
 */
record SelectorCriteria(
        @Nullable String groupName, @Nullable String versionName, ResourceNaming naming) implements ResourceSelector {
    /** Refuses what selects nothing by {@link HandlerDeclarationException}; the group of the core API is empty. */
    SelectorCriteria {
        if (versionName != null && versionName.isEmpty()) {
            throw new HandlerDeclarationException(
                    "the version of a resource is empty; leave it out for the version that"
                            + " the server prefers, or name it, as in \"v1\"");
        }
    }

    static ResourceSelector named(ResourceNaming.Attribute attribute, String name) {
        return new SelectorCriteria(null, null, new ResourceNaming.Named(attribute, name));
    }

    @Override
    public ResourceSelector inGroup(String group) {
        return new SelectorCriteria(only("group", groupName, group), versionName, naming);
    }

    @Override
    public ResourceSelector inVersion(String version) {
        return new SelectorCriteria(groupName, only("version", versionName, version), naming);
    }

    private static String only(String what, @Nullable String before, String now) {
        if (before != null && !before.equals(now)) {
            throw new HandlerDeclarationException(
                    "the " + what + " is given twice: '" + before + "' and '" + now + "'; remove one of them");
        }
        return now;
    }

    @Override
    public Optional<String> group() {
        return Optional.ofNullable(groupName);
    }

    @Override
    public Optional<String> version() {
        return Optional.ofNullable(versionName);
    }

    @Override
    public Optional<Class<?>> model() {
        return naming instanceof ResourceNaming.Modelled(var model) ? Optional.of(model) : Optional.empty();
    }

    @Override
    public boolean isSpecific() {
        return naming.isSpecific();
    }

    @Override
    public boolean matches(Resource resource) {
        return (groupName == null || groupName.equals(resource.group()))
                && matchesVersion(resource)
                && naming.matches(resource);
    }

    private boolean matchesVersion(Resource resource) {
        if (versionName != null) {
            return versionName.equals(resource.version());
        }
        return naming instanceof ResourceNaming.Tested || resource.preferred();
    }

    @Override
    public boolean mayOverlap(ResourceSelector other) {
        return switch (other) {
            case SelectorCriteria that ->
                maybeEqual(groupName, that.groupName)
                        && maybeEqual(versionName, that.versionName)
                        && !(isSpecific() && that.isSpecific() && !naming.equals(that.naming));
        };
    }

    private static boolean maybeEqual(@Nullable String one, @Nullable String other) {
        return one == null || other == null || one.equals(other);
    }

    /** As messages and logs write it: {@code kopfexamples.v1.kopf.dev}. */
    @Override
    public String toString() {
        return Stream.of(naming.toString(), versionName, groupName)
                .filter(Objects::nonNull)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("."));
    }

    /**
     * Reads resources as people write them: {@code kopfexamples.v1.kopf.dev}, {@code (kopf.dev, v1, kopfexamples)}.
     * Pure.
     */
    static final class SelectorNotation {
        private static final Pattern WITH_VERSION = Pattern.compile("[^.]*\\.v\\d+((alpha|beta)\\d+)?(\\..*)?");

        private SelectorNotation() {}

        static ResourceSelector read(String... parts) {
            return switch (parts.length) {
                case 1 -> single(parts[0]);
                case 2 -> pair(parts[0], parts[1]);
                case 3 -> named(parts[0], parts[1], parts[2]);
                default ->
                    throw new HandlerDeclarationException(
                            "a resource has one to three parts, as in (\"kopf.dev\", \"v1\","
                                    + " \"kopfexamples\"); given: " + Arrays.toString(parts));
            };
        }

        private static ResourceSelector single(String text) {
            int slash = text.lastIndexOf('/');
            if (slash >= 0) {
                throw new HandlerDeclarationException(
                        "a resource name has no slash: '" + text + "'; give the parts apart, as in {\""
                                + text.substring(0, slash) + "\", \"" + text.substring(slash + 1)
                                + "\"}; the subresource that a webhook is for is named by subresource = \"status\"");
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
            return new SelectorCriteria(
                    group, version, new ResourceNaming.Named(ResourceNaming.Attribute.ANY_NAME, name));
        }
    }
}
