package dev.kopf4j;

import java.util.List;

/**
 * The children of an object: those that exist, for all its handlers, and those that it ought to have, while a handler
 * of {@link OnReconcile} describes them. What that handler returns is added, too. Confined to the call. Made by the
 * framework; not to be implemented.
 */
public interface Children {
    /**
     * Adds one child. Without a name it gets that of the object; with a {@code generateName} it gets a name that is the
     * same in each call; without a namespace it gets that of the object.
     *
     * @param object a map, a {@link View}, a model of a client library, or a text of YAML with one document, in which
     *     {@code ${spec.image}} stands for a value of the object, {@code ${string(spec.size)}} for its text
     * @throws IllegalArgumentException if it is something else, or if it is not one object
     * @throws IllegalStateException in handlers other than those of {@link OnReconcile}
     */
    Child add(Object object);

    /**
     * Adds all objects of a collection, or of a text of YAML with any number of documents; nothing for null.
     *
     * @throws IllegalArgumentException if something in it is no object
     * @throws IllegalStateException in handlers other than those of {@link OnReconcile}
     */
    void addAll(Object objects);

    /**
     * The children that exist, in no certain order, those that are being deleted included: of the kinds that
     * {@link OnReconcile} names, those that the operator has applied; of those that {@link OnChild} names, all that
     * belong to the object. No request is sent. What the operator has written, by applying children or by a client that
     * handlers have as a parameter, is there at once, before the server's events tell of it.
     *
     * <p>A child has its whole state where handlers of {@link OnChild} look at it, unless their {@link OnChild#bodies}
     * is false, or with {@link OnReconcile#bodies}; else {@code apiVersion}, {@code kind}, and in its metadata
     * {@code name}, {@code namespace}, {@code uid}.
     *
     * @throws IllegalStateException if no kind is watched for children of such objects
     */
    List<Body> live();
}
