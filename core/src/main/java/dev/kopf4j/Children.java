package dev.kopf4j;

/**
 * The children that an object ought to have, while a handler of {@link OnReconcile} describes them. What it returns is
 * added, too. Confined to the call.
 */
public interface Children {
    /**
     * Adds one child. Without a name it gets that of the object; with a {@code generateName} it gets a name that is the
     * same in each call; without a namespace it gets that of the object.
     *
     * @param object a map, a {@link View}, a model of a client library, or a text of YAML with one document, in which
     *     {@code ${spec.image}} stands for a value of the object
     * @throws IllegalArgumentException if it is something else, or if it is not one object
     */
    Child add(Object object);

    /**
     * Adds all objects of a collection, or of a text of YAML with any number of documents; nothing for null.
     *
     * @throws IllegalArgumentException if something in it is no object
     */
    void addAll(Object objects);
}
