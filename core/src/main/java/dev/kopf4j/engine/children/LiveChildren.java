package dev.kopf4j.engine.children;

import dev.kopf4j.Body;
import dev.kopf4j.engine.call.ContextFactory.ChildrenLookup;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.children.live.ChildIndex;
import dev.kopf4j.engine.children.live.ParentKeys;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.object.BodyView;
import java.util.List;

/**
 * The children of objects, as far as the streams, and the operator's own writes, have told of them. Thread-safe.
 *
 * @param index the children that exist
 * @param registry knows who watches them
 */
public record LiveChildren(ChildIndex index, HandlerRegistry registry) implements ChildrenLookup {
    @Override
    public List<Body> of(ResourceObject parent) {
        List<RegisteredHandler> handlers = registry.of(parent.resource()).children();
        if (handlers.isEmpty()) {
            throw new IllegalStateException("no kind is watched for children of " + parent.resource()
                    + "; name them in @OnReconcile(children = ...) or @OnChild(parent = ...)");
        }
        List<String> keys = ParentKeys.of(String.valueOf(parent.reference().uid()), parent.reference(), handlers);
        return index.children(keys).stream()
                .map(child -> (Body) new BodyView(child.shown()))
                .toList();
    }
}
