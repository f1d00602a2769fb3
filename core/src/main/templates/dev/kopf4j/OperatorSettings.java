package dev.kopf4j;

import dev.kopf4j.settings.SettingSources;
import dev.kopf4j.settings.SettingTable;
import dev.kopf4j.settings.SettingValues;
import dev.kopf4j.webhook.WebhookServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * How the operator works. Each setting has a default, and may be changed before the operator starts and by start-up
 * handlers; when those have ended, all settings are read-only. {@link #all()} lists them with their defaults.
 *
 * <p>Not thread-safe while it is being filled.
 */
public final class OperatorSettings {
    private final SettingValues values;
    // fields

    /** All defaults. */
    public OperatorSettings() {
        this(new SettingValues());
    }

    private OperatorSettings(SettingValues values) {
        this.values = values;
        // groups
    }

    /** All settings that there are, in the order of the documentation. */
    public static List<Setting> all() {
        return List.copyOf(SettingTable.ALL);
    }

    /** The values in force, and where each came from. */
    public List<SettingValue> values() {
        return values.explained();
    }

    /**
     * Changes one setting by its name, as configuration files and the environment do.
     *
     * @param name as in {@code peering.priority}
     * @param text the value: {@code 10}, {@code true}, {@code 1m30s}, {@code none}, {@code 1s,2s,5s}
     * @throws SettingException if there is no such setting, or the text is no value of it; with the way out
     */
    public OperatorSettings set(String name, String text) {
        values.setText(name, text);
        return this;
    }

    /**
     * Takes the settings that the environment names: {@code KOPF4J_SETTINGS_PEERING_PRIORITY=100}.
     *
     * @throws SettingException if a variable that begins so names no setting, or its value is none
     */
    public OperatorSettings readEnvironment(Map<String, String> environment) {
        SettingSources.environment(values, environment);
        return this;
    }

    /**
     * Takes the settings that system properties name: {@code kopf4j.settings.peering.priority}.
     *
     * @throws SettingException if a property that begins so names no setting, or its value is none
     */
    public OperatorSettings readProperties(Map<String, String> properties) {
        SettingSources.properties(values, properties);
        return this;
    }

    /**
     * Takes the settings of a YAML file, which has the groups at its top: {@code peering: {priority: 100}}.
     *
     * @throws SettingException if the file cannot be read, is not YAML, or has what is no setting
     */
    public OperatorSettings readFile(Path file) {
        SettingSources.file(values, file);
        return this;
    }

    /**
     * Makes changes that {@link #values} will say came from there.
     *
     * @param origin for people: {@code the option --priority}
     */
    public OperatorSettings from(String origin, Consumer<OperatorSettings> change) {
        values.during(origin, () -> change.accept(this));
        return this;
    }

    /** The same settings, which can be changed on their own. */
    public OperatorSettings copy() {
        return new OperatorSettings(values.copy());
    }

    /** Makes the settings read-only: the operator does so when its start-up handlers have ended. */
    public void freeze() {
        values.freeze();
    }

    // accessors
}
