package dev.kopf4j.settings;

import dev.kopf4j.SettingException;
import dev.kopf4j.SettingValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the settings are, and why. Confined until it is frozen, then thread-safe. */
public final class SettingValues {
    private static final String DEFAULT = "default";

    private final @Nullable Object[] values;
    private final String[] origins;
    private String origin = "code";
    private volatile boolean frozen;

    /** All defaults. */
    public SettingValues() {
        this.values = new Object[SettingTable.ALL.size()];
        this.origins = new String[values.length];
        Arrays.fill(origins, DEFAULT);
        SettingTable.ALL.forEach(setting -> values[setting.index()] = setting.defaultValue());
    }

    private SettingValues(SettingValues other) {
        this.values = other.values.clone();
        this.origins = other.origins.clone();
        this.origin = other.origin;
    }

    /** The same values, which can be changed on their own. */
    public SettingValues copy() {
        return new SettingValues(this);
    }

    /** The value in force. */
    @SuppressWarnings({"unchecked", "NullAway"}) // set() takes values of the setting's type only
    public <T extends @Nullable Object> T get(SettingRow<T> setting) {
        SettingRow<T> decisive = decisive(setting);
        return (T) values[decisive.index()];
    }

    /** The setting that has the value: another one if this is not set, and follows that. */
    private <T extends @Nullable Object> SettingRow<T> decisive(SettingRow<T> setting) {
        SettingRow<T> followed = setting.followed();
        return followed == null || isSet(setting) ? setting : followed;
    }

    private boolean isSet(SettingRow<?> setting) {
        return !origins[setting.index()].equals(DEFAULT);
    }

    /**
     * Sets the value, if it is one.
     *
     * @throws SettingException if it is out of range, or the settings are frozen
     */
    public <T extends @Nullable Object> void set(SettingRow<T> setting, T value) {
        if (frozen) {
            throw new SettingException("the setting '" + setting + "' cannot be changed any more, as the operator has"
                    + " started: change it in an @OnStartup method, or before the start");
        }
        if (value == null && !setting.takesNone()) {
            throw new SettingException("the setting '" + setting + "' must be " + setting.form() + ", but is null");
        }
        try {
            values[setting.index()] = setting.checked(value);
        } catch (IllegalArgumentException e) {
            throw new SettingException(
                    "the setting '" + setting + "' must be " + setting.form() + ", but is '" + excerpt(value) + "'", e);
        }
        origins[setting.index()] = origin;
    }

    /** A list may have millions of entries. */
    private static @Nullable Object excerpt(@Nullable Object value) {
        return value instanceof Collection<?> list && list.size() > SettingTypes.LOOKED_THROUGH_MAX
                ? list.stream().limit(SettingTypes.LOOKED_THROUGH_MAX).toList() + " and more"
                : value;
    }

    /**
     * Sets the value that a text stands for.
     *
     * @param name of the setting, as in {@code peering.priority}
     * @throws SettingException if there is no such setting, or the text is no value of it; with the way out
     */
    public void setText(String name, String text) {
        setText(SettingTable.find(name), text, name);
    }

    /** The same, of a setting whose name was written in another way. */
    <T extends @Nullable Object> void setText(SettingRow<T> setting, String text, String written) {
        set(setting, setting.parse(text, written));
    }

    /** Changes that are made meanwhile come from there. */
    public void during(String newOrigin, Runnable change) {
        String before = origin;
        origin = newOrigin;
        try {
            change.run();
        } finally {
            origin = before;
        }
    }

    /** No change is accepted any more. */
    public void freeze() {
        frozen = true;
    }

    /** All values as texts, and where each came from. */
    public List<SettingValue> explained() {
        List<SettingValue> explained = new ArrayList<>();
        SettingTable.ALL.forEach(setting -> explained.add(explained(setting)));
        return explained;
    }

    private <T extends @Nullable Object> SettingValue explained(SettingRow<T> setting) {
        SettingRow<T> decisive = decisive(setting);
        boolean follows = decisive != setting && isSet(decisive);
        return new SettingValue(
                setting, setting.text(get(setting)), follows ? decisive.name() : origins[setting.index()]);
    }
}
