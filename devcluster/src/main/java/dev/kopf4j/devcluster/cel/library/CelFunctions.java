package dev.kopf4j.devcluster.cel.library;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects functions: their types for the compiler and their bodies for the runtime. Confined to one thread. */
final class CelFunctions {
    /** The body of a function; if it throws an unchecked exception, the expression fails. */
    @FunctionalInterface
    interface Body {
        Object apply(Object[] arguments);
    }

    private final Map<String, List<CelOverloadDecl>> declared = new LinkedHashMap<>();
    private final List<CelFunctionBinding> bound = new ArrayList<>();

    /** Adds a function {@code name(arguments)}. */
    CelFunctions global(String name, CelType result, List<CelType> arguments, Body body) {
        String id = id(name, arguments);
        declared.computeIfAbsent(name, key -> new ArrayList<>())
                .add(CelOverloadDecl.newGlobalOverload(id, result, arguments));
        bind(id, arguments, body);
        return this;
    }

    /** Adds a function {@code first.name(others)}. */
    CelFunctions member(String name, CelType result, List<CelType> arguments, Body body) {
        String id = id(name, arguments) + "_of";
        declared.computeIfAbsent(name, key -> new ArrayList<>())
                .add(CelOverloadDecl.newMemberOverload(id, result, arguments));
        bind(id, arguments, body);
        return this;
    }

    private static String id(String name, List<CelType> arguments) {
        StringBuilder id = new StringBuilder("kubernetes_").append(name);
        arguments.forEach(type -> id.append('_').append(type.name()));
        return id.toString().replaceAll("[^A-Za-z0-9]", "_");
    }

    @SuppressWarnings("Immutable") // bodies have no state
    private void bind(String id, List<CelType> arguments, Body body) {
        List<Class<?>> classes = new ArrayList<>();
        arguments.forEach(type -> classes.add(classOf(type)));
        bound.add(CelFunctionBinding.from(id, classes, body::apply));
    }

    private static Class<?> classOf(CelType type) {
        return switch (type) {
            case SimpleType simple when simple.equals(SimpleType.STRING) -> String.class;
            case SimpleType simple when simple.equals(SimpleType.INT) -> Long.class;
            case ListType list -> List.class;
            case MapType map -> Map.class;
            case OpaqueType opaque -> KubernetesCelTypes.classOf(opaque);
            default -> Object.class;
        };
    }

    List<CelFunctionDecl> declarations() {
        return declared.entrySet().stream()
                .map(function -> CelFunctionDecl.newFunctionDeclaration(function.getKey(), function.getValue()))
                .toList();
    }

    List<CelFunctionBinding> bindings() {
        return bound;
    }
}
