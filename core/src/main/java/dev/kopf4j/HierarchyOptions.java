package dev.kopf4j;

import java.util.ArrayList;
import java.util.List;

/**
 * How {@link Kopf} connects objects to their owner. By default, what an object has stays as it is, names get a random
 * suffix, and the owner is its children's controller and waits for their deletion.
 *
 * <p>Mutable and confined: used during the call it is given to.
 */
public final class HierarchyOptions {
    private boolean forced;
    private boolean strict;
    private boolean controller = true;
    private boolean blockOwnerDeletion = true;
    private final List<List<String>> nested = new ArrayList<>();

    HierarchyOptions() {}

    /**
     * Overwrites what the objects have: labels of the same key, the name, the namespace. So an owner in another
     * namespace is not refused: {@link Kopf#adopt(Object)} moves the objects to its namespace; after
     * {@link Kopf#appendOwnerReference(Object)} alone, the caller has to.
     */
    public HierarchyOptions forced() {
        this.forced = true;
        return this;
    }

    /** Gives exactly the owner's name, rather than a prefix for a generated one. */
    public HierarchyOptions strict() {
        this.strict = true;
        return this;
    }

    /** Labels also the parts at these dotted paths, such as {@code "spec.template"}; missing ones are skipped. */
    public HierarchyOptions nested(String... paths) {
        for (String path : paths) {
            nested.add(DottedPath.keys(path));
        }
        return this;
    }

    /** Labels also the part at these keys, one below the other; for keys that have dots themselves. */
    public HierarchyOptions nested(List<String> keys) {
        nested.add(List.copyOf(keys));
        return this;
    }

    /** The owner is not the controller of the objects: an object can have several owners, but only one controller. */
    public HierarchyOptions notController() {
        this.controller = false;
        return this;
    }

    /** The owner does not wait for the objects' deletion when it is deleted in the foreground. */
    public HierarchyOptions notBlockingOwnerDeletion() {
        this.blockOwnerDeletion = false;
        return this;
    }

    boolean isForced() {
        return forced;
    }

    boolean isStrict() {
        return strict;
    }

    boolean isController() {
        return controller;
    }

    boolean isBlockingOwnerDeletion() {
        return blockOwnerDeletion;
    }

    List<List<String>> nestedPaths() {
        return List.copyOf(nested);
    }
}
