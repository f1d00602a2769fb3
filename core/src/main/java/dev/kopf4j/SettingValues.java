package dev.kopf4j;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the settings are, and why. Confined until it is frozen, then thread-safe. */
final class SettingValues {
    private static final String DEFAULT = "default";

    private final @Nullable Object[] values;
    private final String[] origins;
    private String origin = "code";
    private volatile boolean frozen;

    /** All defaults. */
    SettingValues() {
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

    SettingValues copy() {
        return new SettingValues(this);
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // set() takes values of the setting's type only
    <T extends @Nullable Object> T get(Setting<T> setting) {
        return (T) values[setting.index()];
    }

    /** Sets the value, if it is one. */
    <T extends @Nullable Object> void set(Setting<T> setting, T value) {
        if (frozen) {
            throw new SettingException("the setting '" + setting + "' cannot be changed any more, as the operator has"
                    + " started: change it in an @OnStartup method, or before the start");
        }
        try {
            values[setting.index()] = setting.checked(value);
        } catch (IllegalArgumentException e) {
            throw new SettingException(
                    "the setting '" + setting + "' must be " + setting.form() + ", but is '" + value + "'", e);
        }
        origins[setting.index()] = origin;
    }

    <T extends @Nullable Object> void setText(Setting<T> setting, String text, String written) {
        set(setting, setting.parse(text, written));
    }

    void during(String newOrigin, Runnable change) {
        String before = origin;
        origin = newOrigin;
        try {
            change.run();
        } finally {
            origin = before;
        }
    }

    void freeze() {
        frozen = true;
    }

    List<SettingValue> explained() {
        List<SettingValue> explained = new ArrayList<>();
        SettingTable.ALL.forEach(setting -> explained.add(explained(setting)));
        return explained;
    }

    private <T extends @Nullable Object> SettingValue explained(Setting<T> setting) {
        return new SettingValue(setting, setting.text(get(setting)), origins[setting.index()]);
    }
}
