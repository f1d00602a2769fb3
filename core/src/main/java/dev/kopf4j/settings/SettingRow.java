package dev.kopf4j.settings;

import dev.kopf4j.Setting;
import dev.kopf4j.SettingException;
import dev.kopf4j.settings.SettingTypes.SettingType;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A row of the {@link SettingTable}: a setting with its type and its place among the values. Immutable.
 *
 * @param <T> the type of its values; a nullable one where there may be no value
 */
public final class SettingRow<T extends @Nullable Object> implements Setting {
    private static final Pattern HUMP = Pattern.compile("([a-z])([A-Z])");

    private final int index;
    private final String name;
    private final SettingType<T> type;
    private final T defaultValue;
    private final String description;
    private final @Nullable SettingRow<T> followed;

    /**
     * A row.
     *
     * @param followed the setting whose value this one has as long as nobody sets it; null for the default
     */
    SettingRow(
            int index,
            String name,
            SettingType<T> type,
            T defaultValue,
            String description,
            @Nullable SettingRow<T> followed) {
        this.index = index;
        this.name = name;
        this.type = type;
        this.defaultValue = defaultValue;
        this.description = description;
        this.followed = followed;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public String form() {
        return type.form();
    }

    @Override
    public String defaultText() {
        return text(defaultValue);
    }

    @Override
    public String variable() {
        String words = HUMP.matcher(name).replaceAll("$1_$2").replace('.', '_');
        return SettingSources.VARIABLE_PREFIX + words.toUpperCase(Locale.ROOT);
    }

    @Override
    public String property() {
        return SettingSources.PROPERTY_PREFIX + name;
    }

    int index() {
        return index;
    }

    T defaultValue() {
        return defaultValue;
    }

    @Nullable SettingRow<T> followed() {
        return followed;
    }

    String text(T value) {
        return type.print(value);
    }

    /** True if there may be no value. */
    boolean takesNone() {
        return type.form().endsWith(SettingTypes.OR_NONE);
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
