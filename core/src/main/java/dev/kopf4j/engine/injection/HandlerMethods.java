package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnCreate;
import dev.kopf4j.json.CompiledClass;
import dev.kopf4j.text.NearestWord;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The methods of classes, in the order of their sources, and what is wrong with them. Pure. */
public final class HandlerMethods {
    private static final String NAMELESS =
            "its name is not known, as the class was compiled without -parameters: add that option to javac"
                    + " (in Maven <maven.compiler.parameters>true</maven.compiler.parameters>, in Gradle"
                    + " options.compilerArgs.add(\"-parameters\")), or -java-parameters to kotlinc (javaParameters = true)";

    private HandlerMethods() {}

    /**
     * The class as its author wrote it: of a proxy that a framework has made as a subclass, such as Spring's
     * {@code Websites$$SpringCGLIB$$0}, the class above it, as the overriding methods of proxies have no annotations.
     */
    public static Class<?> written(Object beanOrClass) {
        Class<?> type = beanOrClass instanceof Class<?> given ? given : beanOrClass.getClass();
        while (type.getName().contains("$$") && type.getSuperclass() != null && type.getSuperclass() != Object.class) {
            type = type.getSuperclass();
        }
        return type;
    }

    /**
     * All methods of a class that may be handlers, inherited ones first: annotated methods of interfaces that have
     * code, then those of superclasses; overridden ones are left out.
     */
    public static List<Method> of(Class<?> type) {
        List<Method> methods = new ArrayList<>();
        defaultMethods(type).filter(HandlerMethods::isAnnotated).forEach(methods::add);
        methods.addAll(ofClasses(type));
        return methods;
    }

    /** True if a handler, or what belongs to one, such as a sub-handler, is declared by the method. */
    public static boolean isAnnotated(Method method) {
        return Arrays.stream(method.getAnnotations())
                .anyMatch(each ->
                        OnCreate.class.getPackage().equals(each.annotationType().getPackage()));
    }

    private static Deque<Class<?>> lineage(Class<?> type) {
        Deque<Class<?>> lineage = new ArrayDeque<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            lineage.push(each);
        }
        return lineage;
    }

    private static List<Method> ofClasses(Class<?> type) {
        return notOverridden(lineage(type));
    }

    /** The methods of interfaces with code of their own that no class overrides. */
    private static Stream<Method> defaultMethods(Class<?> type) {
        return notOverridden(withInterfaces(type)).stream()
                .filter(method -> method.getDeclaringClass().isInterface())
                .filter(method -> !Modifier.isAbstract(method.getModifiers()))
                .filter(method -> !Modifier.isStatic(method.getModifiers()));
    }

    /** The methods of types that none of those behind overrides, not even by a bridge, as where a type is generic. */
    private static List<Method> notOverridden(Collection<Class<?>> types) {
        List<Method> methods = new ArrayList<>();
        for (Class<?> each : types) {
            overriding(each).forEach(method -> methods.removeIf(inherited -> isOverridden(inherited, method)));
            methods.addAll(declared(each));
        }
        return methods;
    }

    private static Stream<Method> overriding(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods()).filter(method -> !isCompilersCopy(method));
    }

    /**
     * Which annotations would be lost, in words for people: a method decides by its own ones, so that one without any
     * is no handler, however the abstract method is annotated that it implements.
     */
    public static List<String> lostAnnotations(Class<?> type) {
        return withInterfaces(type).stream()
                .flatMap(each -> declared(each).stream())
                .filter(method -> Modifier.isAbstract(method.getModifiers()) && isAnnotated(method))
                .flatMap(method -> lostBy(type, method).stream())
                .toList();
    }

    private static Optional<String> lostBy(Class<?> type, Method annotated) {
        List<Method> overriding = new ArrayList<>(withInterfaces(type))
                .reversed().stream()
                        .flatMap(HandlerMethods::overriding)
                        .filter(method -> !method.equals(annotated) && isOverridden(annotated, method))
                        .toList();
        return overriding.stream()
                .findFirst()
                .filter(nearest -> !isWithdrawal(nearest, annotated))
                .filter(_ ->
                        overriding.stream().flatMap(HandlerMethods::written).noneMatch(HandlerMethods::isCalled))
                .map(method -> describe(method) + " has no annotation, and " + describe(annotated)
                        + ", which it implements, has: it would never be called, as annotations of methods are not"
                        + " inherited; repeat them there");
    }

    /**
     * Whether an interface switches the handler of an annotated abstract method off. It does so for its own code alone,
     * not for what overrides that.
     */
    private static boolean isWithdrawal(Method nearest, Method annotated) {
        return nearest.isDefault() && annotated.getDeclaringClass().isAssignableFrom(nearest.getDeclaringClass());
    }

    private static boolean isCalled(Method method) {
        return isAnnotated(method) && !Modifier.isAbstract(method.getModifiers());
    }

    /** Which methods of the source a method stands for: itself, or, of a bridge, what it leads to. */
    private static Stream<Method> written(Method method) {
        return method.isBridge()
                ? declared(method.getDeclaringClass()).stream().filter(other -> isBridge(method, other))
                : Stream.of(method);
    }

    /** The type, and what it inherits from: interfaces, then classes, those above others first. */
    private static Set<Class<?>> withInterfaces(Class<?> type) {
        Deque<Class<?>> lineage = lineage(type);
        Set<Class<?>> types = new LinkedHashSet<>();
        lineage.forEach(each -> addInterfaces(each, types));
        types.addAll(lineage);
        return types;
    }

    /** Interfaces of a type; those that others extend come before them. */
    private static void addInterfaces(Class<?> type, Set<Class<?>> found) {
        for (Class<?> each : type.getInterfaces()) {
            addInterfaces(each, found);
            found.add(each);
        }
    }

    /** True for a bridge to an inherited method, made as the type that declares that is not public. */
    private static boolean isCompilersCopy(Method method) {
        return method.isBridge() && written(method).findAny().isEmpty();
    }

    private static boolean isBridge(Method bridge, Method to) {
        Class<?>[] wide = bridge.getParameterTypes();
        Class<?>[] narrow = to.getParameterTypes();
        return bridge.getName().equals(to.getName())
                && wide.length == narrow.length
                && IntStream.range(0, wide.length).allMatch(i -> wide[i].isAssignableFrom(narrow[i]));
    }

    private static boolean isOverridden(Method inherited, Method method) {
        return !Modifier.isStatic(inherited.getModifiers())
                && isVisible(inherited, method.getDeclaringClass())
                && inherited.getName().equals(method.getName())
                && Arrays.equals(inherited.getParameterTypes(), method.getParameterTypes());
    }

    /**
     * Whether a method looks like an override of an inherited one, but is none, as that is package-private in another
     * package.
     */
    public static boolean isNoOverride(Method inherited, Method method) {
        return !Modifier.isPrivate(inherited.getModifiers())
                && !Modifier.isStatic(inherited.getModifiers())
                && !inherited.getDeclaringClass().equals(method.getDeclaringClass())
                && inherited.getDeclaringClass().isAssignableFrom(method.getDeclaringClass())
                && inherited.getName().equals(method.getName())
                && Arrays.equals(inherited.getParameterTypes(), method.getParameterTypes())
                && !isVisible(inherited, method.getDeclaringClass());
    }

    private static boolean isVisible(Method method, Class<?> to) {
        int modifiers = method.getModifiers();
        return Modifier.isPublic(modifiers)
                || Modifier.isProtected(modifiers)
                || (!Modifier.isPrivate(modifiers)
                        && method.getDeclaringClass().getPackageName().equals(to.getPackageName()));
    }

    /** Reflection gives methods in any order; the class file has them in the order of the source. */
    private static List<Method> declared(Class<?> type) {
        List<String> order = sourceOrder(type);
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic() && !method.isBridge())
                .sorted(Comparator.comparingInt(method -> position(order, method)))
                .toList();
    }

    private static int position(List<String> order, Method method) {
        int found = order.indexOf(method.getName() + descriptor(method));
        return found < 0 ? order.size() : found;
    }

    private static String descriptor(Method method) {
        return java.lang.invoke.MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .descriptorString();
    }

    private static List<String> sourceOrder(Class<?> type) {
        return CompiledClass.of(type).stream()
                .flatMap(compiled -> compiled.methods().stream())
                .map(method ->
                        method.methodName().stringValue() + method.methodType().stringValue())
                .toList();
    }

    /**
     * The one method of that name; default methods of interfaces count where the classes have none.
     *
     * @param attribute what names it, for the message
     * @param result what it must return, for the message
     * @throws HandlerDeclarationException if there is none, or several
     */
    public static Method named(Class<?> type, String name, String attribute, String result) {
        List<Method> found = named(ofClasses(type).stream(), name);
        if (found.isEmpty()) {
            found = named(defaultMethods(type), name);
        }
        if (found.size() != 1) {
            throw new HandlerDeclarationException(attribute + " names the method '" + name + "', of which "
                    + type.getSimpleName() + " has " + found.size() + "; there must be one that returns " + result);
        }
        return found.getFirst();
    }

    private static List<Method> named(Stream<Method> methods, String name) {
        return methods.filter(method -> method.getName().equals(name)).toList();
    }

    /**
     * The type of a parameter, where a generic class says by its type variables what another one inherits. What nobody
     * says of a bounded variable is its bound.
     *
     * @param owner the class that is registered
     * @throws HandlerDeclarationException if it is not known there, so that anything would be given to it
     */
    public static Type typeOf(Class<?> owner, Method method, Parameter parameter) {
        Type type = new TypeVariables(owner).resolved(parameter.getParameterizedType());
        if (TypeVariables.isOpen(type)) {
            throw mistake(
                    method,
                    parameter,
                    "nobody knows what " + type.getTypeName() + " is in " + owner.getSimpleName()
                            + ": let the class say it, as in class Websites extends Base<WebsiteSpec>, or take a type"
                            + " without variables");
        }
        return type;
    }

    /** The class of the same, as far as it is known. */
    public static Class<?> classOf(Class<?> owner, Parameter parameter) {
        return parameter.getParameterizedType() instanceof TypeVariable<?> variable
                        && new TypeVariables(owner).resolved(variable) instanceof Class<?> known
                ? known
                : parameter.getType();
    }

    /** The classes of all parameters, as far as they are known. */
    public static Stream<Class<?>> classesOf(Class<?> owner, Method method) {
        return Arrays.stream(method.getParameters()).map(parameter -> classOf(owner, parameter));
    }

    /** What the type variables of classes and interfaces are from which a class inherits. Confined to one look-up. */
    private static final class TypeVariables {
        private final Map<TypeVariable<?>, Type> known = new HashMap<>();
        private final Set<TypeVariable<?>> asked = new HashSet<>();

        TypeVariables(Class<?> heir) {
            readInherited(heir);
        }

        private void readInherited(Class<?> type) {
            if (type.getGenericSuperclass() != null) {
                read(type.getGenericSuperclass());
            }
            Arrays.stream(type.getGenericInterfaces()).forEach(this::read);
        }

        private void read(Type type) {
            Type raw = type;
            if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> declaring) {
                Type[] arguments = generic.getActualTypeArguments();
                for (int i = 0; i < arguments.length; i++) {
                    known.put(declaring.getTypeParameters()[i], resolved(arguments[i]));
                }
                raw = declaring;
            }
            if (raw instanceof Class<?> inherited) {
                readInherited(inherited);
            }
        }

        Type resolved(Type type) {
            return switch (type) {
                case TypeVariable<?> variable -> known.containsKey(variable) ? known.get(variable) : bound(variable);
                case WildcardType wildcard when isOpen(wildcard) -> resolved(wildcard.getUpperBounds()[0]);
                case ParameterizedType generic
                when isOpen(generic) ->
                    new Resolved(
                            generic.getRawType(),
                            Arrays.stream(generic.getActualTypeArguments())
                                    .map(this::resolved)
                                    .toList());
                case GenericArrayType array ->
                    resolved(array.getGenericComponentType()) instanceof Class<?> element
                            ? element.arrayType()
                            : new ResolvedArray(resolved(array.getGenericComponentType()));
                default -> type;
            };
        }

        /** The first bound, without arguments where it names the variable itself; the variable if there is none. */
        private Type bound(TypeVariable<?> variable) {
            Type bound = variable.getBounds()[0];
            if (bound == Object.class) {
                return variable;
            }
            if (!asked.add(variable)) {
                return bound instanceof ParameterizedType generic ? generic.getRawType() : bound;
            }
            Type resolved = resolved(bound);
            asked.remove(variable);
            return resolved;
        }

        static boolean isOpen(Type type) {
            return switch (type) {
                case TypeVariable<?> _ -> true;
                case ParameterizedType generic ->
                    Arrays.stream(generic.getActualTypeArguments()).anyMatch(TypeVariables::isOpen);
                case GenericArrayType array -> isOpen(array.getGenericComponentType());
                case WildcardType wildcard ->
                    Stream.of(wildcard.getUpperBounds(), wildcard.getLowerBounds())
                            .flatMap(Arrays::stream)
                            .anyMatch(TypeVariables::isOpen);
                default -> false;
            };
        }
    }

    /**
     * A generic type whose arguments are known.
     *
     * @param raw its class
     * @param arguments its arguments
     */
    private record Resolved(Type raw, List<Type> arguments) implements ParameterizedType {
        @Override
        public Type[] getActualTypeArguments() {
            return arguments.toArray(Type[]::new);
        }

        @Override
        public Type getRawType() {
            return raw;
        }

        @Override
        public @Nullable Type getOwnerType() {
            return null;
        }

        @Override
        public String getTypeName() {
            return raw.getTypeName()
                    + arguments.stream().map(Type::getTypeName).collect(Collectors.joining(", ", "<", ">"));
        }
    }

    /**
     * An array of a generic type whose arguments are known.
     *
     * @param element the type of its elements
     */
    private record ResolvedArray(Type element) implements GenericArrayType {
        @Override
        public Type getGenericComponentType() {
            return element;
        }

        @Override
        public String getTypeName() {
            return element.getTypeName() + "[]";
        }
    }

    /** For messages: {@code Example.createFn(Spec, String)}. */
    public static String describe(Method method) {
        List<String> types = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .toList();
        return method.getDeclaringClass().getSimpleName() + "." + method.getName() + "(" + String.join(", ", types)
                + ")";
    }

    /** For messages: {@code parameter 'Spec spec' of Example.createFn(Spec, String)}. */
    private static String describe(Method method, Parameter parameter) {
        return "parameter '" + parameter.getType().getSimpleName() + " " + parameter.getName() + "' of "
                + describe(method);
    }

    /** What is wrong with a parameter. */
    public static HandlerDeclarationException mistake(Method method, Parameter parameter, String problem) {
        return new HandlerDeclarationException(describe(method, parameter) + ": " + problem);
    }

    /** What is said of a parameter that nobody knows: what was probably meant, and all that is possible. */
    static HandlerDeclarationException unknown(
            Method method, Parameter parameter, Collection<String> names, String possible) {
        return mistake(method, parameter, problem(parameter, names) + possible);
    }

    /**
     * What is said of a parameter whose type alone does not say what it gets, and whose name is not in the class file.
     *
     * @param names the names that would decide
     */
    static HandlerDeclarationException nameless(Method method, Parameter parameter, String names) {
        return mistake(method, parameter, NAMELESS + "; it may be " + names);
    }

    private static String problem(Parameter parameter, Collection<String> names) {
        if (!parameter.isNamePresent()) {
            return NAMELESS + "; ";
        }
        String name = parameter.getName();
        return NearestWord.likely(name, names)
                .map(meant -> meant.equals(name)
                        ? "'" + name + "' has another type; "
                        : "it is not known what to give to it; did you mean '" + meant + "'? Else: ")
                .orElse("it is not known what to give to it; ");
    }

    /**
     * What the function makes of each. Mistakes are collected, so that people see all of them at once instead of one at
     * each start.
     *
     * @throws HandlerDeclarationException if it throws that for one of them: the same; if for several: one with all the
     *     messages
     */
    public static <T, R> List<R> collect(Collection<T> all, Function<T, R> function) {
        List<R> made = new ArrayList<>();
        List<HandlerDeclarationException> mistakes = new ArrayList<>();
        for (T each : all) {
            try {
                made.add(function.apply(each));
            } catch (HandlerDeclarationException e) {
                mistakes.add(e);
            }
        }
        if (!mistakes.isEmpty()) {
            throw together(mistakes);
        }
        return made;
    }

    private static HandlerDeclarationException together(List<HandlerDeclarationException> mistakes) {
        if (mistakes.size() == 1) {
            return mistakes.getFirst();
        }
        HandlerDeclarationException all = new HandlerDeclarationException(
                mistakes.stream().map(Throwable::getMessage).distinct().collect(Collectors.joining("\n")));
        mistakes.forEach(all::addSuppressed);
        return all;
    }
}
