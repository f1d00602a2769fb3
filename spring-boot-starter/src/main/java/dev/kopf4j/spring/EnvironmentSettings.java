package dev.kopf4j.spring;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Setting;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/** Takes the settings of the operator from the configuration of the application, in all spellings of Spring. */
record EnvironmentSettings(Environment environment) {
    /**
     * Changes the settings that are configured.
     *
     * @throws dev.kopf4j.SettingException if a name below {@code kopf4j} is none, or a value does not fit
     */
    void applyTo(OperatorSettings settings) {
        Binder binder = Binder.get(environment);
        settings.from("the configuration of the application", known -> {
            refuseUnknown(binder, known);
            for (Setting setting : OperatorSettings.all()) {
                binder.bind(KopfProperties.PREFIX + "." + kebab(setting.name()), Bindable.listOf(String.class))
                        .ifBound(values -> known.set(setting.name(), String.join(",", values)));
            }
        });
    }

    /** What is meant for a setting and is none must not be without effect. */
    private static void refuseUnknown(Binder binder, OperatorSettings settings) {
        Set<String> known = OperatorSettings.all().stream()
                .map(setting -> uniform(setting.name()))
                .collect(Collectors.toSet());
        Map<String, String> given = binder.bind(KopfProperties.PREFIX, Bindable.mapOf(String.class, String.class))
                .orElse(Map.of());
        given.forEach((name, value) -> {
            String plain = name.replaceFirst("\\[.*", "");
            if (!known.contains(uniform(plain)) && !KopfProperties.NAMES.contains(plain)) {
                settings.set(plain, value);
            }
        });
    }

    private static String uniform(String name) {
        return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    private static String kebab(String name) {
        String dashed = name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
        return ConfigurationPropertyName.of(dashed).toString();
    }

    /** The names of all settings, as in a configuration. */
    static List<String> names() {
        return OperatorSettings.all().stream().map(each -> kebab(each.name())).toList();
    }
}
