package dev.kopf4j;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One of the {@link OperatorSettings}: its name, type, default and meaning. Immutable.
 *
 * @param <T> the type of its values; a nullable one where there may be no value
 */
public final class Setting<T extends @Nullable Object> {
    private static final Pattern HUMP = Pattern.compile("([a-z])([A-Z])");

    private final int index;
    private final String name;
    private final SettingType<T> type;
    private final T defaultValue;
    private final String description;

    Setting(int index, String name, SettingType<T> type, T defaultValue, String description) {
        this.index = index;
        this.name = name;
        this.type = type;
        this.defaultValue = defaultValue;
        this.description = description;
    }

    /** Its name, as in {@code execution.defaultBackoff}. */
    public String name() {
        return name;
    }

    /** What it is for, in a sentence or two. */
    public String description() {
        return description;
    }

    /** What values look like, for people: {@code a duration (10s, 1m30s)}. */
    public String form() {
        return type.form();
    }

    /** The default, as it is written in configuration files. */
    public String defaultText() {
        return text(defaultValue);
    }

    /** The variable of the environment that sets it, as in {@code KOPF4J_SETTINGS_EXECUTION_DEFAULT_BACKOFF}. */
    public String variable() {
        String words = HUMP.matcher(name).replaceAll("$1_$2").replace('.', '_');
        return SettingSources.VARIABLE_PREFIX + words.toUpperCase(Locale.ROOT);
    }

    /** The system property that sets it, as in {@code kopf4j.settings.execution.defaultBackoff}. */
    public String property() {
        return SettingSources.PROPERTY_PREFIX + name;
    }

    int index() {
        return index;
    }

    T defaultValue() {
        return defaultValue;
    }

    String text(T value) {
        return type.print(value);
    }

    /**
     * The value that a text stands for.
     *
     * @param written the setting's name as it was given, for the message
     */
    T parse(String text, String written) {
        try {
            return checked(type.parse(text.strip()));
        } catch (IllegalArgumentException e) {
            throw new SettingException(
                    "the setting '" + written + "' must be " + type.form() + ", but is '" + text + "'", e);
        }
    }

    /** The value, if it is in the range. */
    T checked(T value) {
        return type.check(value);
    }

    /** A name without what joins its words: the same for all ways of writing it. */
    static String flat(String name) {
        return name.replaceAll("[._-]", "").toLowerCase(Locale.ROOT);
    }

    /** Its name. */
    @Override
    public String toString() {
        return name;
    }
}
