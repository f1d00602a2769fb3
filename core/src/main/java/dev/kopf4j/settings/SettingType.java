package dev.kopf4j.settings;

import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What values a setting has, and how they are written. Immutable.
 *
 * @param form what they look like, for people
 * @param parser reads a text; throws {@link IllegalArgumentException} if it is none
 * @param printer writes a value so that it can be read
 * @param range gives the value back if it is in the range; throws {@link IllegalArgumentException} if not
 */
record SettingType<T extends @Nullable Object>(
        String form, Function<String, T> parser, Function<T, String> printer, UnaryOperator<T> range) {
    T parse(String text) {
        return parser.apply(text);
    }

    String print(T value) {
        return printer.apply(value);
    }

    T check(T value) {
        return range.apply(value);
    }
}
