package dev.kopf4j;

import java.util.Objects;
import java.util.Optional;
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
}
