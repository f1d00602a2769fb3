package dev.kopf4j.testing.extension;

import static org.junit.platform.commons.support.HierarchyTraversalMode.BOTTOM_UP;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.testing.environment.HandlerTypes;
import dev.kopf4j.testing.environment.Manifests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.ReflectionSupport;

/** Makes the operator under test as annotations describe it. Immutable. */
public final class OperatorFactory {
    private final List<Class<?>> classes;
    private final String method;
    private final List<String> arguments;
    private final List<String> manifests;
    private final Class<?> owner;
    private final Optional<SourceFiles> sources;

    /**
     * Compiles the source files, if there are some.
     *
     * @param classes the classes with handlers
     * @param method the name of the method that gives the operator; empty for none
     * @param arguments of {@code kopf4j run}
     * @param manifests what is applied before
     * @param owner the class of the test
     */
    public OperatorFactory(
            List<Class<?>> classes, String method, List<String> arguments, List<String> manifests, Class<?> owner) {
        this.classes = classes;
        this.method = method;
        this.arguments = arguments;
        this.manifests = manifests;
        this.owner = owner;
        this.sources = arguments.isEmpty() ? Optional.empty() : Optional.of(SourceFiles.compile(arguments));
    }

    /** Everything that is to be applied before the operator starts. */
    public List<String> definitions() {
        List<String> all = new ArrayList<>(HandlerTypes.definitions(OperatorPlan.of(builder())));
        sources.map(SourceFiles::definitions).filter(each -> !each.isEmpty()).ifPresent(all::add);
        arguments.stream()
                .filter(each -> each.endsWith(".java"))
                .findFirst()
                .map(each -> Path.of(each).toAbsolutePath().getParent())
                .ifPresent(folder -> all.add(ofFolder(folder)));
        manifests.forEach(each -> all.add(Manifests.read(each, owner)));
        return all;
    }

    private static String ofFolder(Path folder) {
        try {
            return Manifests.ofFolder(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the manifests in " + folder, e);
        }
    }

    /** A new builder of the operator. */
    public OperatorBuilder builder() {
        OperatorBuilder builder = sources.map(SourceFiles::operator).orElseGet(Operator::builder);
        builder.handlers(classes.toArray());
        if (!method.isEmpty()) {
            return fromMethod(builder);
        }
        // The annotation has no word for it.
        return OperatorPlan.of(builder).scope().isChosen() ? builder : builder.clusterwide();
    }

    /** Of the class of the test, of those that it extends, and of those around it, as the annotation may be theirs. */
    private OperatorBuilder fromMethod(OperatorBuilder builder) {
        Method found = Stream.<Class<?>>iterate(owner, Objects::nonNull, Class::getEnclosingClass)
                .flatMap(each -> ReflectionSupport.findMethods(each, this::isNamed, BOTTOM_UP).stream())
                .findFirst()
                .orElseThrow(() -> new ExtensionConfigurationException(
                        "builder = \"" + method + "\": " + owner.getName() + " has no such method; in Kotlin, the"
                                + " companion object has it: annotate it there with @JvmStatic"));
        if (found.getParameterCount() > 0) {
            ReflectionSupport.invokeMethod(found, null, builder);
            return builder;
        }
        Object result = ReflectionSupport.invokeMethod(found, null);
        if (result instanceof OperatorBuilder own) {
            return own.handlers(classes.toArray());
        }
        throw new ExtensionConfigurationException("builder = \"" + method
                + "\": the method must be static, and return an OperatorBuilder or take one as its only parameter");
    }

    private boolean isNamed(Method each) {
        return each.getName().equals(method);
    }
}
