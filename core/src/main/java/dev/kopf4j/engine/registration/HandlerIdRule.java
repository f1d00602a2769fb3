package dev.kopf4j.engine.registration;

import dev.kopf4j.SnakeCaseIds;
import java.util.Locale;
import java.util.regex.Pattern;

/** Which ids the handlers of a class have whose annotations give none. Pure. */
final class HandlerIdRule {
    /**
     * Between a small letter or a digit and a capital one, and before the last of several capital ones:
     * {@code getURLOf}.
     */
    private static final Pattern WORD_END = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

    private HandlerIdRule() {}

    static String id(Class<?> type, String method) {
        return type.isAnnotationPresent(SnakeCaseIds.class) ? snakeCase(method) : method;
    }

    static String snakeCase(String name) {
        return WORD_END.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT);
    }
}
