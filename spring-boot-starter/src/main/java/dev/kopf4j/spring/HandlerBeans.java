package dev.kopf4j.spring;

import dev.kopf4j.ExplicitRegistration;
import dev.kopf4j.OnCreate;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the beans that have handlers: methods with annotations such as {@code @OnCreate}. Proxies, as for
 * {@code @Async} and {@code @Transactional}, are called like any other caller calls them.
 */
record HandlerBeans(ListableBeanFactory beans) {
    /** Returns them in the order in which they were defined. */
    List<Object> all() {
        return Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> hasHandlers(beans.getType(name, false)))
                .map(name -> checked(name, beans.getBean(name)))
                .toList();
    }

    /** A proxy passes on what it can override; its own fields are empty. */
    private static Object checked(String name, Object bean) {
        if (AopUtils.isCglibProxy(bean)) {
            handlers(bean.getClass())
                    .filter(method ->
                            Modifier.isPrivate(method.getModifiers()) || Modifier.isFinal(method.getModifiers()))
                    .findFirst()
                    .ifPresent(method -> {
                        throw new IllegalStateException("The handler " + method.getName() + " of the bean '" + name
                                + "' is " + (Modifier.isPrivate(method.getModifiers()) ? "private" : "final")
                                + ", but Spring calls the bean through a proxy, for an annotation such as @Async or"
                                + " @Transactional: make the method package-private or public, and not final.");
                    });
        }
        return bean;
    }

    private static boolean hasHandlers(@Nullable Class<?> type) {
        return type != null
                && !type.isAnnotationPresent(ExplicitRegistration.class)
                && handlers(type).findAny().isPresent();
    }

    private static Stream<Method> handlers(Class<?> type) {
        return Stream.of(ReflectionUtils.getAllDeclaredMethods(ClassUtils.getUserClass(type)))
                .filter(method -> Arrays.stream(method.getAnnotations())
                        .anyMatch(each -> OnCreate.class
                                .getPackage()
                                .equals(each.annotationType().getPackage())));
    }
}
