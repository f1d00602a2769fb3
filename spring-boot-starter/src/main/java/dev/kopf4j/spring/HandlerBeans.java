package dev.kopf4j.spring;

import dev.kopf4j.ExplicitRegistration;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnCreate;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the beans that have handlers: methods with annotations such as {@code @OnCreate}. Of a bean behind a proxy
 * ({@code @Async}, {@code @Transactional}), the annotations are those of its class, and the proxy is called.
 */
record HandlerBeans(ConfigurableListableBeanFactory beans) {
    /**
     * Returns them in the order in which they were defined.
     *
     * @throws HandlerDeclarationException if a handler cannot be called through the proxy of its bean
     */
    List<Object> all() {
        return Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .filter(name -> hasHandlers(type(name)))
                .map(this::callable)
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

    private Object callable(String name) {
        Object bean = beans.getBean(name);
        if (Proxy.isProxyClass(bean.getClass())) {
            throw new HandlerDeclarationException("the bean '" + name + "' has handlers, but is behind a proxy that has"
                    + " the methods of interfaces only; let the proxy extend the class:"
                    + " spring.aop.proxy-target-class=true, or proxyTargetClass = true at @EnableAsync and the like");
        }
        if (AopUtils.isCglibProxy(bean)) {
            handlers(bean.getClass()).filter(HandlerBeans::isHidden).findFirst().ifPresent(method -> {
                throw new HandlerDeclarationException("the handler " + method.getName() + " of the bean '" + name
                        + "' is private or final, so that it cannot be called through the proxy of the bean; make it"
                        + " package-private or public, and not final");
            });
        }
        return bean;
    }

    private static boolean isHidden(Method method) {
        int modifiers = method.getModifiers();
        return !Modifier.isStatic(modifiers) && (Modifier.isPrivate(modifiers) || Modifier.isFinal(modifiers));
    }
}
