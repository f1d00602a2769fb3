package dev.kopf4j.testing.simulation;

import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.testing.extension.OperatorFactory;
import dev.kopf4j.testing.recording.LogCapture;
import dev.kopf4j.text.DurationText;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Runs simulated tests: calls the test once for each seed, in place of once. Thread-safe. */
public final class SimulatedExtension implements InvocationInterceptor, ParameterResolver {
    /** Made by JUnit. */
    public SimulatedExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType().equals(Simulation.class);
    }

    /** That of no seed: each seed has its own. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return new Simulation();
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> called,
            ExtensionContext context) {
        invocation.skip();
        LogCapture.install();
        Method method = called.getExecutable();
        Simulated options = method.getAnnotation(Simulated.class);
        Class<?> owner = called.getTargetClass();
        if (!List.of(method.getParameterTypes()).equals(List.of(Simulation.class))) {
            throw new IllegalStateException(name(owner, method) + " has @Simulated, so that it takes a Simulation, and"
                    + " nothing else: each seed has a cluster and an operator of its own");
        }
        OperatorFactory factory = new OperatorFactory(
                List.of(options.value()), "", List.of(options.run()), List.of(options.apply()), owner);
        Object present = context.getRequiredTestInstance();
        boolean isolated = hasOwnInstances(owner);
        if (isolated) {
            boolean shared = context.getTestInstanceLifecycle().equals(Optional.of(TestInstance.Lifecycle.PER_CLASS));
            refuseFilledFields(owner, present, shared, method.getName());
        }
        SimulationSetup setup = new SimulationSetup(
                plan(factory, options),
                factory.definitions(),
                options.replicas(),
                Set.of(options.without()),
                busy(name(owner, method), options.busy()));
        new SimulatedTest(
                        options,
                        setup,
                        () -> declared(method, isolated ? ReflectionSupport.newInstance(owner) : present),
                        name(owner, method),
                        isolated ? Runtime.getRuntime().availableProcessors() : 1,
                        new AtomicBoolean(),
                        new SimulationRun.KindsAskedFor())
                .run();
    }

    /** What calls a test several times would call its declaration alone, and run no seed. */
    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> called,
            ExtensionContext context) {
        invocation.skip();
        throw new IllegalStateException(name(called.getTargetClass(), called.getExecutable())
                + " has @Simulated beside @RepeatedTest, @ParameterizedTest or the like, which would run no seed: take"
                + " that away; seeds = ... of @Simulated says how often it runs");
    }

    private static Duration busy(String test, String text) {
        Duration limit;
        try {
            limit = DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    test + " has a busy of @Simulated that cannot be taken: " + e.getMessage(), e);
        }
        if (!limit.isPositive()) {
            throw new IllegalStateException(
                    test + " has busy = \"" + text + "\" of @Simulated, so that each handler would take too long");
        }
        return limit;
    }

    private static String name(Class<?> owner, Method method) {
        return owner.getSimpleName() + "." + method.getName();
    }

    /** Source files are compiled once. */
    private static Supplier<OperatorPlan> plan(OperatorFactory factory, Simulated options) {
        if (options.run().length == 0) {
            return () -> OperatorPlan.of(factory.builder());
        }
        OperatorPlan compiled = OperatorPlan.of(factory.builder());
        return () -> compiled;
    }

    private static Simulation declared(Method method, Object instance) {
        Simulation simulation = new Simulation();
        ReflectionSupport.invokeMethod(method, instance, simulation);
        return simulation;
    }

    /** True if no seed sees what another has left; inner classes and those with parameters have only one instance. */
    private static boolean hasOwnInstances(Class<?> owner) {
        boolean alone = owner.getEnclosingClass() == null || Modifier.isStatic(owner.getModifiers());
        boolean simple = owner.getDeclaredConstructors().length == 1
                && owner.getDeclaredConstructors()[0].getParameterCount() == 0;
        return alone && simple;
    }

    /** What JUnit, Mockito or {@code @BeforeEach} fill is in the instance of JUnit only. */
    private static void refuseFilledFields(Class<?> owner, Object present, boolean shared, String test) {
        Object fresh = ReflectionSupport.newInstance(owner);
        Object another = ReflectionSupport.newInstance(owner);
        for (Field field : ReflectionSupport.findFields(
                owner, each -> !Modifier.isStatic(each.getModifiers()), HierarchyTraversalMode.TOP_DOWN)) {
            Object filled = value(field, present);
            Object own = value(field, fresh);
            // A number that differs from instance to instance was not filled: a moment, a port. Nor was what an
            // earlier test of the same instance has left, where nothing says that the field is filled.
            if (shared && field.getAnnotations().length == 0) {
                continue;
            }
            boolean differs = field.getType().isPrimitive()
                    ? Objects.equals(own, value(field, another)) && !Objects.equals(own, filled)
                    : filled != null && own == null;
            if (differs) {
                throw new IllegalStateException(
                        "the field '" + field.getName() + "' of " + owner.getSimpleName()
                                + " was filled before the test " + test
                                + " (by @BeforeEach, @TempDir, @Mock or the like), but"
                                + " each seed of @Simulated has an instance of its own, where it is not: make what the test"
                                + " needs in its method, or where the field is declared, or move the test into a class of its own");
            }
        }
    }

    private static @Nullable Object value(Field field, Object instance) {
        return ReflectionSupport.tryToReadFieldValue(field, instance)
                .getOrThrow(e -> new IllegalStateException("cannot read " + field, e));
    }
}
