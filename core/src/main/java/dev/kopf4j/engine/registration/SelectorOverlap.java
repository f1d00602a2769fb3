package dev.kopf4j.engine.registration;

import dev.kopf4j.ResourceSelector;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whether two selectors can mean the same resource, before it is known which resources there are. Pure. */
final class SelectorOverlap {
    private SelectorOverlap() {}

    static boolean possible(ResourceSelector one, ResourceSelector other) {
        return maybeEqual(one.group(), other.group())
                && maybeEqual(one.version(), other.version())
                && maybeSameName(one, other);
    }

    private static boolean maybeEqual(@Nullable String one, @Nullable String other) {
        return one == null || other == null || one.equals(other);
    }

    /**
     * Names of the same sort must be equal; names of different sorts may mean the same, but are taken for different.
     */
    private static boolean maybeSameName(ResourceSelector one, ResourceSelector other) {
        boolean specific = one.isSpecific() && other.isSpecific();
        return !specific
                || (Objects.equals(one.kind(), other.kind())
                        && Objects.equals(one.plural(), other.plural())
                        && Objects.equals(one.singular(), other.singular())
                        && Objects.equals(one.shortName(), other.shortName())
                        && Objects.equals(one.anyName(), other.anyName()));
    }
}
