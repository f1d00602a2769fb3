package dev.kopf4j.engine.handling.context;

import dev.kopf4j.Body;
import dev.kopf4j.Child;
import dev.kopf4j.Children;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.List;

/** The children of an object for handlers that do not say which there ought to be. Confined to the call. */
record ExistingChildren(RegisteredHandler handler, ResourceObject parent, ChildrenLookup lookup) implements Children {
    @Override
    public List<Body> live() {
        return lookup.of(parent);
    }

    @Override
    public Child add(Object object) {
        throw notAsked();
    }

    @Override
    public void addAll(Object objects) {
        throw notAsked();
    }

    private IllegalStateException notAsked() {
        return new IllegalStateException(
                handler + " is not asked which children there ought to be: only handlers of @OnReconcile are");
    }
}
