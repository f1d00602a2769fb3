package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The object as a model of another library. Which resource a handler's selector means is known only when it is called,
 * so that a model of another resource is refused there: it would be bound without an error, and be mostly empty.
 *
 * @param method whose parameter it is, for messages
 * @param type the model
 * @param selector the resource that it stands for; empty for parts of objects, and for models of any resource
 */
record ModelParameter(Method method, Class<?> type, Optional<ResourceSelector> selector) implements ParameterBinder {
    @Override
    public @Nullable Object bind(HandlerContext context) {
        Resource resource = context.resource();
        if (selector.isPresent() && !stands(selector.get(), resource)) {
            throw new PermanentException(HandlerMethods.describe(method) + " takes a " + type.getSimpleName()
                    + ", which is "
                    + selector.get() + ", but is called for " + resource + "; change the parameter's type, or the"
                    + " handler's resource");
        }
        return context.body().as(type);
    }

    /** Any version: models of one version often do for another. */
    private static boolean stands(ResourceSelector selector, Resource resource) {
        return selector.matches(new Resource(
                resource.group(),
                selector.version().orElse(resource.version()),
                resource.plural(),
                resource.kind(),
                resource.singular(),
                resource.shortNames(),
                resource.categories(),
                resource.subresources(),
                resource.namespaced(),
                true,
                resource.verbs()));
    }
}
