package dev.kopf4j.engine.call;

import dev.kopf4j.Body;
import java.util.List;

/** Finds the children of objects. Thread-safe. */
@FunctionalInterface
public interface ChildrenLookup {
    /** Where nobody knows children. */
    ChildrenLookup NONE = parent -> {
        throw new IllegalStateException("children are not known here; take them in handlers of events, of changes or of"
                + " children, in daemons or timers");
    };

    /**
     * The children that exist.
     *
     * @throws IllegalStateException if no kind is watched for children of such objects
     */
    List<Body> of(ResourceObject parent);
}
