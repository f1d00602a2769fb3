package dev.kopf4j;

import dev.kopf4j.SelectorCriteria.SelectorNotation;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which resources of the cluster a handler is for: named in one way, and narrowed by group and version. Without a
 * version, the one that the server prefers is meant. Immutable.
 */
public sealed interface ResourceSelector permits SelectorCriteria {
    /** In place of a name: all resources but events. */
    String EVERYTHING = "*";

    /**
     * By a plural, singular, kind or short name, in one of the forms {@code name}, dotted {@code name.version.group} or
     * {@code name.group}, {@code (group/version, name)}, {@code (group, name)}, {@code (group, version, name)}.
     *
     * @throws HandlerDeclarationException if there are no parts, more than three, or an empty name or version; an empty
     *     group is the core API
     */
    static ResourceSelector of(String... parts) {
        return SelectorNotation.read(parts);
    }

    /** All resources but events. */
    static ResourceSelector everything() {
        return of(EVERYTHING);
    }

    /** The resources that pass a test, except events. It is asked about each version; one that passes is watched. */
    static ResourceSelector matching(Predicate<? super Resource> test) {
        return new SelectorCriteria(null, null, new ResourceNaming.Tested(test));
    }

    /** By its kind, such as {@code Pod}. */
    static ResourceSelector ofKind(String kind) {
        return SelectorCriteria.named(ResourceNaming.Attribute.KIND, kind);
    }

    /** By its plural name, such as {@code pods}. */
    static ResourceSelector ofPlural(String name) {
        return SelectorCriteria.named(ResourceNaming.Attribute.PLURAL, name);
    }

    /** By its singular name, such as {@code pod}. */
    static ResourceSelector ofSingular(String name) {
        return SelectorCriteria.named(ResourceNaming.Attribute.SINGULAR, name);
    }

    /** By a short name, such as {@code po}. */
    static ResourceSelector ofShortName(String name) {
        return SelectorCriteria.named(ResourceNaming.Attribute.SHORT_NAME, name);
    }

    /** All resources of a category, such as {@code all}. */
    static ResourceSelector ofCategory(String category) {
        return SelectorCriteria.named(ResourceNaming.Attribute.CATEGORY, category);
    }

    /**
     * By a model class of a client library, whose group, version and kind say which resource. Which library knows it is
     * found out when the operator is built.
     */
    static ResourceSelector ofModel(Class<?> model) {
        return new SelectorCriteria(null, null, new ResourceNaming.Modelled(model));
    }

    /**
     * The same in this API group only; empty for the core API.
     *
     * @throws HandlerDeclarationException if it has another group already
     */
    ResourceSelector inGroup(String group);

    /**
     * The same in this API version, whether the server prefers it or not.
     *
     * @throws HandlerDeclarationException if it has another version already, or the version is empty
     */
    ResourceSelector inVersion(String version);

    /** The API group; empty for any. */
    Optional<String> group();

    /** The API version; empty for the one that the server prefers. */
    Optional<String> version();

    /** The model class; empty if it is named in another way. */
    Optional<Class<?>> model();

    /** True if it names one resource, rather than a class of them. */
    boolean isSpecific();

    /**
     * True if the resource is selected.
     *
     * @throws IllegalStateException if it names a model class, which only the framework makes a resource of
     */
    boolean matches(Resource resource);

    /**
     * True if there may be a resource that both select: found out before it is known which resources there are. Names
     * of different sorts, such as a kind and a plural name, are taken for different resources.
     */
    boolean mayOverlap(ResourceSelector other);
}
