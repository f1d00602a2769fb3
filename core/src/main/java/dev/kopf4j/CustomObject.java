package dev.kopf4j;

import java.util.Optional;

/**
 * The object that is being handled, with its spec and status in types of one's own. A parameter of a handler, as in
 * {@code CustomObject<WebsiteSpec, WebsiteStatus> website}, or from {@link HandlerContext#customObject}.
 *
 * <p>What is there but not in the types is ignored when it is read, and left alone when it is written. Belongs to one
 * call of one handler: confined to its thread. Made by the framework; not to be implemented.
 *
 * @param <S> the type of the spec
 * @param <T> the type of the status
 */
public interface CustomObject<S, T> {
    /** The name of the object. */
    String name();

    /** The namespace of the object; empty if it is cluster-scoped. */
    Optional<String> namespace();

    /** The metadata of the object. */
    Meta meta();

    /** The whole object, as {@link HandlerContext#body} has it. */
    Body body();

    /**
     * The spec.
     *
     * @throws BindingException if it does not fit, with the path of the misfit
     */
    S spec();

    /**
     * The status, without the changes made here; empty if the object has none.
     *
     * @throws BindingException if it does not fit, with the path of the misfit
     */
    Optional<T> status();

    /**
     * Makes this the status: what differs goes into the handler's {@link Patch}, and nothing if nothing does. Fields
     * that are null here, or an empty {@code Optional}, are removed, entries of mappings that are not here, too; fields
     * that the type does not have stay, and so do the conditions where they are null.
     */
    CustomObject<S, T> status(T status);

    /** The conditions of the status. */
    Conditions conditions();

    /** What else is to be changed in the object. */
    Patch patch();
}
