package dev.kopf4j.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnCreate;
import dev.kopf4j.spring.other.Inherited;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

class HandlerBeansTest {
    interface Greeter {
        void greet();
    }

    static class Open implements Greeter {
        @Override
        @OnCreate("configmaps")
        public void greet() {}
    }

    static class Hidden {
        @OnCreate("configmaps")
        @SuppressWarnings("UnusedMethod") // a handler
        private void greet() {}
    }

    static class HiddenFilter {
        @OnCreate(value = "configmaps", when = "isPolite")
        void greet() {}

        @SuppressWarnings("UnusedMethod") // a filter
        private boolean isPolite() {
            return true;
        }
    }

    static class HiddenFilterOfValue {
        @OnCreate(value = "configmaps", field = "data.tone", fieldValueWhen = "isPolite")
        void greet() {}

        @SuppressWarnings("UnusedMethod") // a filter
        private boolean isPolite(String value) {
            return value.isEmpty();
        }
    }

    static class HiddenFilterOfLabel {
        @OnCreate(value = "configmaps", labelWhen = "example.com/tone=isPolite")
        void greet() {}

        @SuppressWarnings("UnusedMethod") // a filter
        private boolean isPolite(String value) {
            return value.isEmpty();
        }
    }

    static class OtherHidden {
        @OnCreate(value = "configmaps", when = "isPolite")
        void greet() {
            help();
        }

        boolean isPolite() {
            return true;
        }

        private void help() {}
    }

    /** The beans of a factory that puts proxies before them all. */
    private static HandlerBeans proxied(Class<?> type, boolean bySubclass) {
        DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
        factory.registerBeanDefinition("greetings", new RootBeanDefinition(type));
        factory.addBeanPostProcessor(new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                ProxyFactory proxy = new ProxyFactory(bean);
                proxy.setProxyTargetClass(bySubclass);
                return proxy.getProxy();
            }
        });
        return new HandlerBeans(factory);
    }

    @Test
    @Tag("P11")
    void givesTheProxyOfABean() {
        assertThat(proxied(Open.class, true).all())
                .singleElement()
                .satisfies(bean -> assertThat(AopUtils.isCglibProxy(bean)).isTrue());
    }

    @Test
    @Tag("P11")
    void refusesProxiesThatHaveMethodsOfInterfacesOnly() {
        assertThatThrownBy(() -> proxied(Open.class, false).all())
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContainingAll("'greetings'", "spring.aop.proxy-target-class=true");
    }

    @Test
    @Tag("P11")
    void refusesHandlersThatAProxyDoesNotPassOn() {
        assertThatThrownBy(() -> proxied(Hidden.class, true).all())
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContainingAll("greet", "'greetings'", "package-private");
    }

    @ParameterizedTest
    @ValueSource(classes = {HiddenFilter.class, HiddenFilterOfValue.class, HiddenFilterOfLabel.class})
    @Tag("P11")
    void refusesMethodsNamedByAnnotationsThatAProxyDoesNotPassOn(Class<?> type) {
        assertThatThrownBy(() -> proxied(type, true).all())
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContainingAll("isPolite", "'greetings'", "package-private");
    }

    static class InheritingHandler extends Inherited.PackagePrivate {}

    static class InheritingFilter extends Inherited.Filtered {}

    /** Both are handlers, as neither overrides the other. */
    static class OwnHandler extends Inherited.PackagePrivate {
        @OnCreate(value = "configmaps", id = "own")
        void greet() {}
    }

    /** It has two filters of that name. */
    static class OwnFilter extends Inherited.Filtered {
        boolean isPolite() {
            return true;
        }
    }

    static class InheritingProtected extends Inherited.Protected {}

    @ParameterizedTest
    @CsvSource({"greet, InheritingHandler", "greet, OwnHandler", "isPolite, InheritingFilter", "isPolite, OwnFilter"})
    @Tag("P11")
    void refusesWhatIsPackagePrivateInAnotherPackage(String method, String type) throws ClassNotFoundException {
        Class<?> bean = Class.forName(HandlerBeansTest.class.getName() + "$" + type);
        assertThatThrownBy(() -> proxied(bean, true).all())
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContainingAll(method, "'greetings'", "another package", "protected");
    }

    static class InheritingOpened extends Inherited.Opened {}

    @ParameterizedTest
    @ValueSource(classes = {InheritingProtected.class, InheritingOpened.class})
    @Tag("P11")
    void takesWhatAProxyPassesOnOfAnotherPackage(Class<?> type) {
        assertThat(proxied(type, true).all()).hasSize(1);
    }

    interface Promise {
        @OnCreate("configmaps")
        void greet();
    }

    static class Forgetful implements Promise {
        @Override
        public void greet() {}
    }

    interface Middle extends Promise {}

    static class Lost implements Middle {
        @Override
        public void greet() {}
    }

    @ParameterizedTest
    @ValueSource(classes = {Forgetful.class, Lost.class})
    @Tag("P11")
    void findsBeansThatLoseAnAnnotationSoThatTheOperatorRefusesThem(Class<?> type) {
        assertThat(proxied(type, true).all()).hasSize(1);
    }

    static class Off extends Open {
        @Override
        public void greet() {}
    }

    @Test
    @Tag("P11")
    void leavesBeansAloneWhoseHandlersAreAllSwitchedOff() {
        assertThat(proxied(Off.class, true).all()).isEmpty();
    }

    @Test
    @Tag("P11")
    void leavesAloneWhatOnlyTheBeanItselfCalls() {
        assertThat(proxied(OtherHidden.class, true).all()).hasSize(1);
    }
}
