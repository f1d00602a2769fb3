package dev.kopf4j.spring;

import dev.kopf4j.ExplicitRegistration;
import dev.kopf4j.OnCreate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the beans that have handlers: methods with annotations such as {@code @OnCreate}. */
record HandlerBeans(ListableBeanFactory beans) {
    /** Returns them in the order in which they were defined. */
    List<Object> all() {
        return Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> hasHandlers(beans.getType(name, false)))
                .map(beans::getBean)
                .toList();
    }

    private static boolean hasHandlers(@Nullable Class<?> type) {
        return type != null
                && !type.isAnnotationPresent(ExplicitRegistration.class)
                && Stream.of(ReflectionUtils.getAllDeclaredMethods(ClassUtils.getUserClass(type)))
                        .flatMap(method -> Arrays.stream(method.getAnnotations()))
                        .anyMatch(each -> OnCreate.class
                                .getPackage()
                                .equals(each.annotationType().getPackage()));
    }
}
