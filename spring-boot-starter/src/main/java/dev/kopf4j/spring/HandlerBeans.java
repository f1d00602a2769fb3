package dev.kopf4j.spring;

import dev.kopf4j.ExplicitRegistration;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnCreate;
import dev.kopf4j.engine.injection.HandlerMethods;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the beans that have handlers: methods with annotations such as {@code @OnCreate}. Of a bean behind a proxy
 * ({@code @Async}, {@code @Transactional}), the annotations are those of its class, and the proxy is called.
 */
record HandlerBeans(ConfigurableListableBeanFactory beans) {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");
    private static final Package PACKAGE = OnCreate.class.getPackage();
    private static final Pattern NAMES_METHODS = Pattern.compile("when|.*(When|By)");

    /**
     * Returns them in the order in which they were defined, and says which they are: of a bean that is not made yet,
     * only the declared type is known, which may be an interface without handlers.
     *
     * @throws HandlerDeclarationException if a handler cannot be called through the proxy of its bean
     */
    List<Object> all() {
        List<String> names = names();
        log.info("The handlers are those of the beans {}.", names);
        return names.stream().map(this::callable).toList();
    }

    /** Warns of them, if there are any, as the operator of the parent context does not know them. */
    void tellUncalled() {
        List<String> names = names();
        if (!names.isEmpty()) {
            log.warn(
                    "The handlers of the beans {} are called by nobody: the operator is that of the parent context, and"
                            + " has the handlers of that context's beans alone.",
                    names);
        }
    }

    private List<String> names() {
        return Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .filter(name -> hasHandlers(type(name)))
                .toList();
    }

    /** The class of a bean, also if a proxy stands before it; no bean is made to find it out. */
    private @Nullable Class<?> type(String name) {
        String target = ScopedProxyUtils.getTargetBeanName(name);
        String known = beans.containsBeanDefinition(target) ? target : name;
        Object original =
                beans.getMergedBeanDefinition(known).getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE);
        return original instanceof Class<?> type ? type : beans.getType(known, false);
    }

    /**
     * Whether the operator finds a handler there, or refuses the bean, as an annotation is lost. Of a type that others
     * extend, any annotation counts, as the class of the bean is not known.
     */
    private static boolean hasHandlers(@Nullable Class<?> type) {
        if (type == null
                || type.isAnnotationPresent(ExplicitRegistration.class)
                || Stream.concat(methods(type), ofInterfaces(type)).noneMatch(HandlerBeans::isHandler)) {
            return false;
        }
        Class<?> written = HandlerMethods.written(type);
        return Modifier.isAbstract(written.getModifiers())
                || HandlerMethods.of(written).stream().anyMatch(HandlerMethods::isAnnotated)
                || !HandlerMethods.lostAnnotations(written).isEmpty();
    }

    private static Stream<Method> ofInterfaces(Class<?> type) {
        return type.isInterface()
                ? Stream.empty()
                : ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .flatMap(each -> Stream.of(ReflectionUtils.getAllDeclaredMethods(each)));
    }

    private static boolean isHandler(Method method) {
        return annotations(method.getAnnotations()).findAny().isPresent();
    }

    private static Stream<Method> methods(Class<?> type) {
        return Stream.of(ReflectionUtils.getAllDeclaredMethods(ClassUtils.getUserClass(type)));
    }

    /** Those that the operator may call: all that are not overridden. */
    private static List<Method> called(Class<?> type) {
        List<Method> all = methods(type).toList();
        return all.stream()
                .filter(method -> all.stream().noneMatch(other -> replaces(other, method)))
                .toList();
    }

    private static boolean replaces(Method method, Method inherited) {
        Class<?> owner = inherited.getDeclaringClass();
        return method.getName().equals(inherited.getName())
                && !(isForPackage(inherited) && !areOfOnePackage(owner, method.getDeclaringClass()))
                && !Modifier.isPrivate(inherited.getModifiers())
                && !Modifier.isStatic(inherited.getModifiers())
                && !owner.equals(method.getDeclaringClass())
                && owner.isAssignableFrom(method.getDeclaringClass())
                && Arrays.equals(method.getParameterTypes(), inherited.getParameterTypes());
    }

    private Object callable(String name) {
        Object bean = beans.getBean(name);
        if (Proxy.isProxyClass(bean.getClass())) {
            throw new HandlerDeclarationException("the bean '" + name + "' has handlers, but is behind a proxy that has"
                    + " the methods of interfaces only; let the proxy extend the class:"
                    + " spring.aop.proxy-target-class=true, or proxyTargetClass = true at @EnableAsync and the like");
        }
        if (AopUtils.isCglibProxy(bean)) {
            List<Method> called = called(bean.getClass());
            List<Method> handlers =
                    called.stream().filter(HandlerBeans::isHandler).toList();
            refuseHidden("the handler", name, bean, handlers.stream());
            Set<String> named = handlers.stream()
                    .flatMap(handler -> annotations(handler.getAnnotations()))
                    .flatMap(HandlerBeans::methodsNamedBy)
                    .collect(Collectors.toSet());
            refuseHidden("the method", name, bean, called.stream().filter(method -> named.contains(method.getName())));
        }
        return bean;
    }

    /** Those of a proxy's class that it does not pass on would run on the proxy, whose fields are empty. */
    private static void refuseHidden(String what, String name, Object proxy, Stream<Method> methods) {
        methods.filter(method -> isHidden(method, proxy.getClass())).findFirst().ifPresent(method -> {
            throw new HandlerDeclarationException(what + " " + method.getName() + " of the bean '" + name
                    + "' is private or final, or package-private in a class of another package, so that it cannot be"
                    + " called through the proxy of the bean; make it protected or public, and not final");
        });
    }

    /** The project's annotations among them, and those within. */
    private static Stream<Annotation> annotations(Annotation... all) {
        return Arrays.stream(all)
                .filter(each -> PACKAGE.equals(each.annotationType().getPackage()))
                .flatMap(each -> Stream.concat(
                        Stream.of(each),
                        AnnotationUtils.getAnnotationAttributes(each).values().stream()
                                .flatMap(value -> switch (value) {
                                    case Annotation one -> annotations(one);
                                    case Annotation[] several -> annotations(several);
                                    case null, default -> Stream.empty();
                                })));
    }

    /**
     * The methods that an annotation names, in {@code when}, {@code paramBy} and the like; {@code labelWhen} has
     * {@code "key=method"}.
     */
    private static Stream<String> methodsNamedBy(Annotation annotation) {
        return AnnotationUtils.getAnnotationAttributes(annotation).entrySet().stream()
                .filter(entry -> NAMES_METHODS.matcher(entry.getKey()).matches())
                .flatMap(entry -> switch (entry.getValue()) {
                    case String one -> Stream.of(one);
                    case String[] several -> Stream.of(several);
                    default -> Stream.<String>empty();
                })
                .map(name -> name.substring(name.lastIndexOf('=') + 1));
    }

    /** True if the proxy cannot override it. */
    private static boolean isHidden(Method method, Class<?> proxy) {
        int modifiers = method.getModifiers();
        return !Modifier.isStatic(modifiers)
                && (Modifier.isPrivate(modifiers)
                        || Modifier.isFinal(modifiers)
                        || (isForPackage(method) && !areOfOnePackage(method.getDeclaringClass(), proxy)));
    }

    private static boolean isForPackage(Method method) {
        return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0;
    }

    /** Those of two class loaders never are. */
    private static boolean areOfOnePackage(Class<?> one, Class<?> other) {
        return one.getPackageName().equals(other.getPackageName())
                && Objects.equals(one.getClassLoader(), other.getClassLoader());
    }
}
