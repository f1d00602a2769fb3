package dev.kopf4j.engine.conversion;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnConvert;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A function that converts a part of an object from one version to another. Immutable.
 *
 * @param definition the name of the custom resource definition
 * @param from the version that objects come in, or {@link OnConvert#HUB}
 * @param to the version that they become, or {@link OnConvert#HUB}
 * @param part what it converts
 * @param code what does it
 */
public record ConversionFunction(String definition, String from, String to, Part part, Code code) {
    /**
     * The user's function.
     *
     * @param type what the part is bound to
     * @param dropUnknown true if the fields that the type does not know are dropped
     * @param source where it was declared, for messages
     * @param invoker calls it
     */
    public record Code(Type type, boolean dropUnknown, String source, Invoker invoker) {}

    /** The API group of the definition. */
    public String group() {
        return definition.substring(definition.indexOf('.') + 1);
    }

    /** For messages: {@code Example.up(V1Spec), which converts the spec of widgets.example.com from v1 to v2}. */
    @Override
    public String toString() {
        return code.source() + ", which converts the " + part.key() + " of " + definition + " from " + from + " to "
                + to;
    }

    /** What of an object a function converts. */
    public enum Part {
        /** Its {@code spec}. */
        SPEC("spec"),
        /** Its {@code status}. */
        STATUS("status"),
        /** All of it. */
        BODY("body");

        private final String key;

        Part(String key) {
            this.key = key;
        }

        /** Its key in the object, and the name of parameters that get it. */
        public String key() {
            return key;
        }
    }

    /** Calls the user's function. Thread-safe, as far as the function is. */
    @FunctionalInterface
    public interface Invoker {
        /**
         * Calls it.
         *
         * @param part what is converted, in the function's type
         * @param body the whole object as it comes
         * @return what it has returned
         * @throws Exception what it has thrown
         */
        @Nullable Object convert(Object part, Body body) throws Exception;
    }

    /** What makes no sense in the declarations of conversions, whatever the cluster serves. Pure. */
    public static final class ConversionRules {
        /** As the API server checks the versions of definitions. */
        private static final Pattern VERSION = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");

        private ConversionRules() {}

        /**
         * Refuses what makes no sense.
         *
         * @throws HandlerDeclarationException with the first mistake, and the right form
         */
        public static void check(List<ConversionFunction> functions) {
            List<ConversionFunction> before = new ArrayList<>();
            for (ConversionFunction function : functions) {
                checkAlone(function);
                before.forEach(other -> checkTogether(other, function));
                before.add(function);
            }
        }

        private static void checkAlone(ConversionFunction function) {
            if (!function.definition().matches("[^.]+\\..+")) {
                throw mistake(
                        function,
                        "the definition is '" + function.definition()
                                + "'; give its whole name, plural and group, as in \"widgets.example.com\"");
            }
            for (String version : List.of(function.from(), function.to())) {
                if (!VERSION.matcher(version).matches()) {
                    throw mistake(
                            function,
                            "'" + version + "' is no version; give its name alone, as in \"v1\" or \"v2beta1\"");
                }
            }
            if (function.from().equals(function.to())) {
                throw mistake(function, "both versions are the same, which nobody ever asks for");
            }
        }

        private static void checkTogether(ConversionFunction one, ConversionFunction other) {
            if (!one.definition().equals(other.definition())
                    || !one.from().equals(other.from())
                    || !one.to().equals(other.to())) {
                return;
            }
            if (one.part() == other.part()) {
                throw mistake(
                        other,
                        "there is another one for the same: " + one.code().source() + "; leave one of them out");
            }
            if (one.part() == ConversionFunction.Part.BODY || other.part() == ConversionFunction.Part.BODY) {
                throw mistake(
                        other,
                        "a function of the body converts all of the object, but there is another one for the "
                                + (other.part() == ConversionFunction.Part.BODY ? one.part() : other.part()).key()
                                + ": "
                                + one.code().source() + "; convert either the body, or spec and status");
            }
        }

        private static HandlerDeclarationException mistake(ConversionFunction function, String problem) {
            return new HandlerDeclarationException("@OnConvert on " + function + ": " + problem);
        }
    }

    /** Collects the functions that convert from one version to another. Confined. */
    public static final class ConversionOptionsDraft implements OnConvert.Options {
        private final List<Declared> parts = new ArrayList<>();
        private boolean dropUnknown;

        private ConversionOptionsDraft() {}

        private record Declared(ConversionFunction.Part part, Class<?> type, ConversionFunction.Invoker invoker) {}

        /**
         * The functions that a user's options name.
         *
         * @throws HandlerDeclarationException if they name none
         */
        public static List<ConversionFunction> declare(
                String definition, String from, String to, Consumer<? super OnConvert.Options> options) {
            ConversionOptionsDraft draft = new ConversionOptionsDraft();
            options.accept(draft);
            if (draft.parts.isEmpty()) {
                throw new HandlerDeclarationException(
                        "the conversion of " + definition + " from " + from + " to " + to
                                + " converts nothing; give it a function, as in c -> c.spec(V1Spec.class, spec -> new V2Spec(...))");
            }
            return draft.parts.stream()
                    .map(each -> new ConversionFunction(
                            definition,
                            from,
                            to,
                            each.part(),
                            new Code(each.type(), draft.dropUnknown, "a registered function", each.invoker())))
                    .toList();
        }

        @SuppressWarnings("unchecked") // what is given was bound to the type
        private <T> ConversionOptionsDraft add(
                ConversionFunction.Part part, Class<T> type, OnConvert.BodyConversion<? super T> function) {
            parts.add(new Declared(part, type, (value, body) -> function.convert((T) value, body)));
            return this;
        }

        @Override
        public <T> OnConvert.Options spec(Class<T> type, OnConvert.Conversion<? super T> function) {
            return add(ConversionFunction.Part.SPEC, type, (T value, Body body) -> function.convert(value));
        }

        @Override
        public <T> OnConvert.Options spec(Class<T> type, OnConvert.BodyConversion<? super T> function) {
            return add(ConversionFunction.Part.SPEC, type, function);
        }

        @Override
        public <T> OnConvert.Options status(Class<T> type, OnConvert.Conversion<? super T> function) {
            return add(ConversionFunction.Part.STATUS, type, (T value, Body body) -> function.convert(value));
        }

        @Override
        public <T> OnConvert.Options status(Class<T> type, OnConvert.BodyConversion<? super T> function) {
            return add(ConversionFunction.Part.STATUS, type, function);
        }

        @Override
        public <T> OnConvert.Options body(Class<T> type, OnConvert.Conversion<? super T> function) {
            return add(ConversionFunction.Part.BODY, type, (T value, Body body) -> function.convert(value));
        }

        @Override
        public OnConvert.Options dropUnknown() {
            dropUnknown = true;
            return this;
        }
    }
}
