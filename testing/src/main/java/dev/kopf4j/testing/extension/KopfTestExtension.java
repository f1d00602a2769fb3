package dev.kopf4j.testing.extension;

import dev.kopf4j.testing.DevClusterOptions;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.recording.LogCapture;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts a cluster and an operator for each test, and ends both after it. Thread-safe: it has no state of its own. */
public final class KopfTestExtension
        implements BeforeEachCallback, AfterEachCallback, ParameterResolver, TestExecutionExceptionHandler {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(KopfTestExtension.class);

    /** Made by JUnit. */
    public KopfTestExtension() {}

    @Override
    public void beforeEach(ExtensionContext context) {
        requireTests(context.getRequiredTestClass());
        LogCapture.install();
        RunningTest test = test(context);
        test.begin();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        test(context).explain(failure);
        throw failure;
    }

    /** Nothing is to be ended if nothing could be made. */
    @Override
    public void afterEach(ExtensionContext context) {
        RunningTest test = context.getStore(STORE).get(context.getUniqueId(), RunningTest.class);
        if (test != null) {
            test.end(context.getExecutionException().isPresent());
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return RunningTest.offers(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw new ExtensionConfigurationException("each test has a cluster of its own: take "
                    + parameter.getParameter().getType().getSimpleName()
                    + " as a parameter of the test or of a @BeforeEach method, not of a constructor");
        }
        return test(context).value(parameter.getParameter().getType());
    }

    /** JUnit runs no method that is no test, and says nothing of it. */
    private static void requireTests(Class<?> owner) {
        for (Method method : owner.getDeclaredMethods()) {
            if (method.isAnnotationPresent(KopfTest.class) && !AnnotationSupport.isAnnotated(method, Testable.class)) {
                throw new ExtensionConfigurationException(owner.getSimpleName() + "." + method.getName()
                        + " has @KopfTest, but is no test, so that it would never run: add @Test");
            }
        }
    }

    @SuppressWarnings("deprecation") // JUnit 5 has no other one
    private static RunningTest test(ExtensionContext context) {
        return Objects.requireNonNull(context.getStore(STORE)
                .getOrComputeIfAbsent(
                        context.getUniqueId(),
                        id -> RunningTest.prepare(
                                annotation(context, KopfTest.class)
                                        .orElseThrow(() -> new ExtensionConfigurationException(
                                                "@KopfTest is missing on the test or its class")),
                                annotation(context, DevClusterOptions.class),
                                context.getRequiredTestClass()),
                        RunningTest.class));
    }

    /** That of the method, or of its class, or of a class around it. */
    private static <A extends Annotation> Optional<A> annotation(ExtensionContext context, Class<A> type) {
        Optional<A> own = AnnotationSupport.findAnnotation(context.getElement(), type);
        return own.isPresent() ? own : context.getParent().flatMap(parent -> annotation(parent, type));
    }
}
