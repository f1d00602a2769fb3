package dev.kopf4j.spring;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Takes the settings of the operator from the configuration of the application, in all spellings of Spring. */
record EnvironmentSettings(Environment environment) {
    /** As Kubernetes gives the address of a Service to all pods of its namespace: {@code KOPF4J_CONSOLE_PORT}. */
    private static final Pattern SERVICE_LINK = Pattern.compile("(tcp|udp|sctp)://.*");

    /**
     * Changes the settings that are configured.
     *
     * @throws dev.kopf4j.SettingException if a name below {@code kopf4j} is none, or a value does not fit
     */
    void applyTo(OperatorSettings settings) {
        Binder binder = Binder.get(environment);
        settings.from("the configuration of the application", known -> {
            refuseUnknown(known);
            for (Setting setting : OperatorSettings.all()) {
                for (String prefix : List.of(KopfProperties.PREFIX, KopfProperties.PREFIX + ".settings")) {
                    binder.bind(prefix + "." + kebab(setting.name()), Bindable.listOf(String.class))
                            .map(values -> String.join(",", values))
                            .ifBound(value -> {
                                if (!SERVICE_LINK.matcher(value).matches()) {
                                    known.set(setting.name(), value);
                                }
                            });
                }
            }
        });
    }

    /**
     * What is meant for a setting and is none must not be without effect. Variables of the environment and system
     * properties may be meant for others: Kubernetes tells of a Service {@code kopf4j-web} by
     * {@code KOPF4J_WEB_SERVICE_HOST}.
     */
    private void refuseUnknown(OperatorSettings settings) {
        Set<String> known = OperatorSettings.all().stream()
                .map(setting -> uniform(setting.name()))
                .collect(Collectors.toSet());
        Map<String, String> given = new Binder(written())
                .bind(KopfProperties.PREFIX, Bindable.mapOf(String.class, String.class))
                .orElse(Map.of());
        given.forEach((name, value) -> {
            String plain = name.replaceFirst("\\[.*", "").replaceFirst("^settings\\.", "");
            if (!known.contains(uniform(plain)) && !KopfProperties.NAMES.contains(plain)) {
                settings.set(plain, value);
            }
        });
    }

    /** What somebody has written for this application: in its files, its command line, its code. */
    private Iterable<ConfigurationPropertySource> written() {
        List<PropertySource<?>> sources = new ArrayList<>();
        if (environment instanceof ConfigurableEnvironment configurable) {
            configurable.getPropertySources().stream()
                    .filter(source -> !(source instanceof SystemEnvironmentPropertySource)
                            && !source.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)
                            && !ConfigurationPropertySources.isAttachedConfigurationPropertySource(source))
                    .forEach(sources::add);
        }
        return ConfigurationPropertySources.from(sources);
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
