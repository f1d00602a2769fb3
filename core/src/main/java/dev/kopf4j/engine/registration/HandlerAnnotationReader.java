package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.handling.declaration.AdmissionDeclaration;
import dev.kopf4j.engine.handling.declaration.AnnotationAttributes;
import dev.kopf4j.engine.handling.declaration.BackgroundDeclaration;
import dev.kopf4j.engine.handling.declaration.ChildDeclaration;
import dev.kopf4j.engine.handling.declaration.HandlerDeclaration;
import dev.kopf4j.engine.handling.declaration.InitialDelay;
import dev.kopf4j.engine.handling.declaration.RetryDeclaration;
import dev.kopf4j.engine.injection.HandlerArguments;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Turns one annotation of one method into its declaration. Pure.
 *
 * @param attributes the annotation
 * @param arguments what the method can be given
 * @param methods finds the methods that the annotation names
 * @param method the annotated method
 */
record HandlerAnnotationReader(
        AnnotationAttributes attributes, HandlerArguments arguments, NamedMethods methods, Method method) {
    HandlerDeclaration read() {
        return new HandlerDeclaration(
                arguments.kind(),
                arguments.kind() == HandlerKind.CHILD ? parent() : resource(),
                attributes.id(),
                arguments.param(),
                new RetryDeclaration.Draft().read(attributes).declare(),
                new FilterAttributes(attributes, methods).read(),
                attributes.flag("optional"),
                attributes.flag("deleted"),
                new BackgroundDeclaration.Draft()
                        .read(attributes)
                        .initialDelay(initialDelay())
                        .declare(),
                new AdmissionDeclaration.Draft().read(attributes).declare(),
                children());
    }

    private ResourceSelector resource() {
        return new SelectorAttributes(attributes, methods, method).read();
    }

    /** The resource of the objects that a handler of children is called for. */
    private ResourceSelector parent() {
        String[] parts = attributes.texts("parent");
        if (parts.length == 0) {
            throw new HandlerDeclarationException("no parent is named; give its resource, as in parent = \"websites\"");
        }
        return ModelSelectors.resolved(ResourceSelector.of(parts));
    }

    private ChildDeclaration children() {
        String function = attributes.text("parentBy");
        return switch (arguments.kind()) {
            case RECONCILE ->
                new ChildDeclaration.Draft().readDesired(attributes).declare();
            case CHILD ->
                new ChildDeclaration.Draft()
                        .readObserved(attributes, resource(), function.isEmpty() ? null : methods.parent(function))
                        .declare();
            default -> ChildDeclaration.NONE;
        };
    }

    private @Nullable InitialDelay initialDelay() {
        Duration fixed = attributes.duration("initialDelay");
        String method = attributes.text("initialDelayBy");
        if (fixed != null && !method.isEmpty()) {
            throw new HandlerDeclarationException("give either initialDelay or initialDelayBy, not both");
        }
        if (!method.isEmpty()) {
            return new InitialDelay.Computed(methods.delay(method));
        }
        return fixed == null ? null : new InitialDelay.Fixed(fixed);
    }
}
