package dev.kopf4j.settings;

import dev.kopf4j.DiffBaseStore;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.ProgressStore;
import dev.kopf4j.webhook.WebhookServer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The types of settings whose values have names to choose from. Pure. */
final class ChoiceTypes {
    private ChoiceTypes() {}

    static <E extends Enum<E>> SettingType<E> oneOf(Class<E> type) {
        List<E> all = List.of(type.getEnumConstants());
        return new SettingType<>(
                "one of " + all.stream().map(ChoiceTypes::word).collect(Collectors.joining(", ")),
                text -> SettingTypes.chosen(all.stream()
                        .filter(each -> SettingRow.flat(word(each)).equals(SettingRow.flat(text)))
                        .findFirst()
                        .orElse(null)),
                ChoiceTypes::word,
                value -> value);
    }

    /** The built-in ones have names; others can be given in code only. */
    static SettingType<HandlerLifecycle> lifecycle() {
        SettingType<HandlerLifecycle.BuiltIn> named = oneOf(HandlerLifecycle.BuiltIn.class);
        return new SettingType<>(
                named.form() + " (others in code)",
                named::parse,
                value -> value instanceof HandlerLifecycle.BuiltIn builtIn
                        ? named.print(builtIn)
                        : value.getClass().getName(),
                value -> value);
    }

    static SettingType<Level> level() {
        return oneOf(Level.class);
    }

    static SettingType<ProgressStore> progressStore() {
        return ofNames(Map.of(
                "smart",
                ProgressStore.smart(),
                "annotations",
                ProgressStore.annotations(),
                "status",
                ProgressStore.status()));
    }

    static SettingType<DiffBaseStore> diffBaseStore() {
        return ofNames(Map.of("annotations", DiffBaseStore.annotations(), "status", DiffBaseStore.status()));
    }

    static SettingType<@Nullable WebhookServer> webhookServer() {
        return SettingTypes.optional(ofNames(Map.of(
                "local",
                WebhookServer.local(),
                "k3d",
                WebhookServer.k3d(),
                "minikube",
                WebhookServer.minikube(),
                "dockerDesktop",
                WebhookServer.dockerDesktop(),
                "auto",
                WebhookServer.auto(),
                "ngrok",
                WebhookServer.ngrok(),
                "autoTunnel",
                WebhookServer.autoTunnel())));
    }

    /** The well-known values have names; others can be given in code only. */
    private static <T> SettingType<T> ofNames(Map<String, T> named) {
        String names = named.keySet().stream().sorted().collect(Collectors.joining(", "));
        return new SettingType<>(
                "one of " + names + " (others in code)",
                text -> SettingTypes.chosen(named.get(text)),
                value -> named.entrySet().stream()
                        .filter(entry -> entry.getValue().equals(value))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseGet(() -> String.valueOf(value)),
                value -> value);
    }

    private static String word(Enum<?> value) {
        String name = value.name().toLowerCase(Locale.ROOT);
        StringBuilder word = new StringBuilder();
        for (String part : name.split("_", -1)) {
            word.append(word.isEmpty() ? part : Character.toUpperCase(part.charAt(0)) + part.substring(1));
        }
        return word.toString();
    }
}
