package dev.kopf4j.spring;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** What is on or off by a property, in all words that Spring reads as a truth value; on if nothing is said. */
final class Switches {
    private Switches() {}

    private static boolean isOn(ConditionContext context, String name) {
        return context.getEnvironment().getProperty(KopfProperties.PREFIX + "." + name, Boolean.class, true);
    }

    /** The application has an operator. */
    static final class On implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return isOn(context, "enabled");
        }
    }

    /** It has none. */
    static final class Off implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !isOn(context, "enabled");
        }
    }

    /** The application ends when its operator has failed. */
    static final class EndsOnFailure implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return isOn(context, "exit-on-failure");
        }
    }
}
