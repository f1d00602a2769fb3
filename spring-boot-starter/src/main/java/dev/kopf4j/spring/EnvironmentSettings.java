package dev.kopf4j.spring;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Takes the settings of the operator from the configuration of the application, in all spellings of Spring, and those
 * that the environment and system properties give in the form of other applications
 * ({@code KOPF4J_SETTINGS_PEERING_PRIORITY}).
 *
 * <p>The environment and system properties also have names that begin so, and are none of the operator's: options of
 * the program {@code kopf4j}, those of tests, and addresses of Services with names such as {@code kopf4j-console}.
 * These are left alone.
 */
record EnvironmentSettings(Environment environment) {
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(KopfProperties.PREFIX);
    private static final ConfigurationPropertyName LONG_PREFIX = PREFIX.append("settings");
    /** How Spring names an element of a list, bound to a map: with a dot in front of the index. */
    private static final Pattern INDEX = Pattern.compile("(\\.\\d+|\\[\\d+])$");

    /** As in {@code KOPF4J_CONSOLE_PORT}, which Kubernetes makes of a Service named {@code kopf4j-console}. */
    private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://\\S+:\\d+");

    /**
     * Changes the settings that are configured.
     *
     * @throws dev.kopf4j.SettingException if a name below {@code kopf4j} in files or arguments is none, if one below
     *     {@code kopf4j.settings} is none, or if a value does not fit
     */
    void applyTo(OperatorSettings settings) {
        List<ConfigurationPropertySource> sources = sources();
        settings.readProperties(texts(sources, StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME))
                .readEnvironment(texts(sources, StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME));
        settings.from("the configuration of the application", known -> {
            refuseUnknown(binder(sources.stream().filter(source -> !isOfProcess(source))), known);
            Binder binder = binder(sources.stream()
                    .map(source -> withLongNames(source.filter(name -> !isServiceAddress(source, name)))));
            for (Setting setting : OperatorSettings.all()) {
                binder.bind(name(setting), Bindable.listOf(String.class))
                        .ifBound(values -> known.set(setting.name(), String.join(",", values)));
            }
        });
    }

    private List<ConfigurationPropertySource> sources() {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        ConfigurationPropertySources.get(environment).forEach(sources::add);
        return sources;
    }

    private Binder binder(Stream<ConfigurationPropertySource> sources) {
        return new Binder(sources.toList(), new PropertySourcesPlaceholdersResolver(environment));
    }

    private static Map<String, String> texts(List<ConfigurationPropertySource> sources, String name) {
        Map<String, String> texts = new HashMap<>();
        sources.stream()
                .map(ConfigurationPropertySource::getUnderlyingSource)
                .filter(source ->
                        source instanceof MapPropertySource map && map.getName().equals(name))
                .flatMap(source -> ((MapPropertySource) source).getSource().entrySet().stream())
                .forEach(entry -> texts.put(entry.getKey(), String.valueOf(entry.getValue())));
        return texts;
    }

    /** True for the environment and system properties. */
    private static boolean isOfProcess(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof MapPropertySource map
                && (isEnvironment(source)
                        || map.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME));
    }

    private static boolean isEnvironment(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof MapPropertySource map
                && map.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
    }

    private static boolean isServiceAddress(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        ConfigurationProperty found =
                isEnvironment(source) && PREFIX.isAncestorOf(name) ? source.getConfigurationProperty(name) : null;
        return found != null
                && SERVICE_ADDRESS.matcher(String.valueOf(found.getValue())).matches();
    }

    /**
     * Who asks for {@code kopf4j.peering.priority} gets {@code kopf4j.settings.peering.priority} of the same source; so
     * do elements of lists.
     */
    private static ConfigurationPropertySource withLongNames(ConfigurationPropertySource source) {
        return name -> {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            return found == null && PREFIX.isAncestorOf(name)
                    ? source.getConfigurationProperty(LONG_PREFIX.append(name.subName(PREFIX.getNumberOfElements())))
                    : found;
        };
    }

    /**
     * What is meant for a setting and is none must not be without effect. A section in YAML whose lines are all
     * comments is an empty text.
     */
    private static void refuseUnknown(Binder binder, OperatorSettings settings) {
        Set<String> known = OperatorSettings.all().stream()
                .flatMap(setting -> Stream.of(setting.name(), "settings." + setting.name()))
                .map(EnvironmentSettings::uniform)
                .collect(Collectors.toSet());
        Map<String, String> given = binder.bind(KopfProperties.PREFIX, Bindable.mapOf(String.class, String.class))
                .orElse(Map.of());
        given.forEach((name, value) -> {
            String plain = INDEX.matcher(name).replaceFirst("");
            boolean isEmptySection =
                    value.isEmpty() && known.stream().anyMatch(setting -> setting.startsWith(uniform(plain) + "."));
            if (!isEmptySection && !known.contains(uniform(plain)) && !KopfProperties.NAMES.contains(uniform(plain))) {
                settings.set(plain.replaceFirst("^settings\\.", ""), value);
            }
        });
    }

    private static String uniform(String name) {
        return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    private static String name(Setting setting) {
        return KopfProperties.PREFIX + "." + kebab(setting.name());
    }

    private static String kebab(String name) {
        String dashed = name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
        return ConfigurationPropertyName.of(dashed).toString();
    }
}
