package dev.kopf4j.settings;

import dev.kopf4j.SettingException;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads settings from outside of the program. */
public final class SettingSources {
    static final String VARIABLE_PREFIX = "KOPF4J_SETTINGS_";
    static final String PROPERTY_PREFIX = "kopf4j.settings.";

    private SettingSources() {}

    /** Takes the settings that variables of the environment name. */
    public static void environment(SettingValues settings, Map<String, String> environment) {
        new TreeMap<>(environment).forEach((variable, text) -> {
            if (variable.startsWith(VARIABLE_PREFIX)) {
                SettingRow<?> setting =
                        SettingTable.find(variable.substring(VARIABLE_PREFIX.length()), variable, SettingRow::variable);
                settings.during("the variable " + variable, () -> settings.setText(setting, text, variable));
            }
        });
    }

    /** Takes the settings that system properties name. */
    public static void properties(SettingValues settings, Map<String, String> properties) {
        new TreeMap<>(properties).forEach((property, text) -> {
            if (property.startsWith(PROPERTY_PREFIX)) {
                SettingRow<?> setting =
                        SettingTable.find(property.substring(PROPERTY_PREFIX.length()), property, SettingRow::property);
                settings.during("the system property " + property, () -> settings.setText(setting, text, property));
            }
        });
    }

    /** Takes the settings of a YAML file. */
    public static void file(SettingValues settings, Path file) {
        try {
            Object content = new Load(
                            LoadSettings.builder().setLabel(file.toString()).build())
                    .loadFromString(Files.readString(file, StandardCharsets.UTF_8));
            if (content != null) {
                settings.during("the file " + file, () -> group(settings, "", content));
            }
        } catch (IOException e) {
            throw new SettingException(
                    "the settings cannot be read from " + file + ": " + FileProblem.describe(file, e), e);
        } catch (YamlEngineException e) {
            throw new SettingException("the file of settings " + file + " is not YAML: " + e.getMessage(), e);
        } catch (SettingException e) {
            throw new SettingException(file + ": " + e.getMessage(), e);
        }
    }

    /** At the top there are groups, or full names of settings; in a group, its settings. */
    private static void group(SettingValues settings, String group, @Nullable Object content) {
        if (!(content instanceof Map<?, ?> entries)) {
            throw new SettingException("there must be a mapping of settings"
                    + (group.isEmpty() ? " (peering: {priority: 100})" : "") + ", but "
                    + (group.isEmpty() ? "there" : "'" + group + "'") + " is '" + content + "'");
        }
        entries.forEach((key, value) -> {
            String name = group.isEmpty() ? String.valueOf(key) : group + "." + key;
            if (group.isEmpty() && (value instanceof Map || SettingTable.isGroup(name))) {
                group(settings, name, value);
            } else {
                set(settings, SettingTable.find(name), value, name);
            }
        });
    }

    /** Templates that fill nothing in leave a key without a value: that is no text "null". */
    private static void set(SettingValues settings, SettingRow<?> setting, @Nullable Object value, String name) {
        if (value == null && !setting.takesNone()) {
            throw new SettingException(
                    "the setting '" + name + "' has no value: write " + setting.form() + ", or leave it out");
        }
        settings.setText(setting, text(value, name), name);
    }

    private static String text(@Nullable Object value, String name) {
        if (value instanceof Map) {
            throw new SettingException("the setting '" + name + "' is no mapping, but is '" + value + "'");
        }
        return value instanceof Collection<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                : String.valueOf(value);
    }
}
