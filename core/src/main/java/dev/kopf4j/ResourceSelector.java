package dev.kopf4j;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which resources of the cluster a handler is for. Immutable.
 *
 * @param group the API group; null for any
 * @param version the API version; null for the one that the server prefers
 * @param kind the kind; null if it is selected in another way, as with all that follow
 * @param plural the plural name
 * @param singular the singular name
 * @param shortName a short name
 * @param category a category
 * @param anyName a plural, singular, kind or short name; {@link #EVERYTHING} for all resources
 * @param predicate a test of one's own, which sees all versions
 */
public record ResourceSelector(
        @Nullable String group,
        @Nullable String version,
        @Nullable String kind,
        @Nullable String plural,
        @Nullable String singular,
        @Nullable String shortName,
        @Nullable String category,
        @Nullable String anyName,
        @Nullable Predicate<Resource> predicate) {
    /** In place of a name: all resources but events. */
    public static final String EVERYTHING = "*";

    private static final Pattern WITH_VERSION = Pattern.compile("[^.]*\\.v\\d+((alpha|beta)\\d+)?(\\..*)?");
    private static final Pattern VERSION = Pattern.compile("v\\d+((alpha|beta)\\d+)?");

    /** Checks that exactly one way of selecting is given. */
    public ResourceSelector {
        List<String> names = Stream.of(kind, plural, singular, shortName, category, anyName)
                .filter(Objects::nonNull)
                .toList();
        if (names.stream().anyMatch(String::isEmpty)) {
            throw new HandlerDeclarationException(
                    "a resource name is empty; name the resource, as in \"kopfexamples\"");
        }
        int ways = names.size() + (predicate == null ? 0 : 1);
        if (ways == 0) {
            throw new HandlerDeclarationException(
                    "no resource is named; give a name as in \"kopfexamples\", or a kind, plural, singular, shortName, or category");
        }
        if (ways > 1) {
            throw new HandlerDeclarationException("the resource is named in several ways at once: " + names
                    + "; give one of name, kind, plural, singular, shortName, category, model, predicate");
        }
    }

    /**
     * Reads the positional forms: {@code name}, dotted {@code name.version.group} or {@code name.group},
     * {@code (group/version, name)}, {@code (group, name)}, {@code (group, version, name)}.
     *
     * @throws HandlerDeclarationException if there are none, more than three, or an empty one
     */
    public static ResourceSelector of(String... parts) {
        return switch (parts.length) {
            case 1 -> ofSingle(parts[0]);
            case 2 -> ofPair(parts[0], parts[1]);
            case 3 -> named(parts[0], parts[1], parts[2]);
            default ->
                throw new HandlerDeclarationException("a resource has one to three parts, as in (\"kopf.dev\", \"v1\","
                        + " \"kopfexamples\"); given: " + Arrays.toString(parts));
        };
    }

    /** All resources but events. */
    public static ResourceSelector everything() {
        return of(EVERYTHING);
    }

    /** The resources that pass a test, of all their versions, except events. */
    public static ResourceSelector matching(Predicate<Resource> predicate) {
        return new ResourceSelector(null, null, null, null, null, null, null, null, predicate);
    }

    private static ResourceSelector ofSingle(String text) {
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

    private static ResourceSelector ofPair(String first, String name) {
        int slash = first.lastIndexOf('/');
        if (slash >= 0) {
            return named(first.substring(0, slash), first.substring(slash + 1), name);
        }
        return first.equals("v1") ? named("", "v1", name) : named(first, null, name);
    }

    private static ResourceSelector named(@Nullable String group, @Nullable String version, String name) {
        return new ResourceSelector(group, version, null, null, null, null, null, name, null);
    }

    /** True if it names one resource, rather than a class of them. */
    public boolean isSpecific() {
        return kind != null
                || plural != null
                || singular != null
                || shortName != null
                || (anyName != null && !anyName.equals(EVERYTHING));
    }

    /** True if the resource is selected. */
    public boolean matches(Resource resource) {
        return (group == null || group.equals(resource.group()))
                && matchesVersion(resource)
                && (kind == null || kind.equals(resource.kind()))
                && (plural == null || plural.equals(resource.plural()))
                && (singular == null || singular.equals(resource.singular()))
                && (category == null || resource.categories().contains(category))
                && (shortName == null || resource.shortNames().contains(shortName))
                && (anyName == null || matchesAnyName(anyName, resource))
                && (predicate == null || (!isEvents(resource) && predicate.test(resource)));
    }

    private boolean matchesVersion(Resource resource) {
        if (version != null) {
            return version.equals(resource.version());
        }
        return predicate != null || resource.preferred();
    }

    private static boolean matchesAnyName(String name, Resource resource) {
        if (name.equals(EVERYTHING)) {
            return !isEvents(resource);
        }
        return name.equals(resource.kind())
                || name.equals(resource.plural())
                || name.equals(resource.singular())
                || resource.shortNames().contains(name);
    }

    private static boolean isEvents(Resource resource) {
        boolean core = resource.group().isEmpty() && resource.version().equals("v1");
        boolean modern = resource.group().equals("events.k8s.io") && resource.preferred();
        return resource.plural().equals("events") && (core || modern);
    }

    /** True if the text is a version as Kubernetes writes them: {@code v1}, {@code v1beta2}. */
    static boolean isVersion(String text) {
        return VERSION.matcher(text).matches();
    }

    @Override
    public String toString() {
        String name = Stream.of(kind, plural, singular, shortName, category, anyName)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("(predicate)");
        return Stream.of(name, version, group)
                .filter(part -> part != null && !part.isEmpty())
                .collect(Collectors.joining("."));
    }
}
