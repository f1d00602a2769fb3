package dev.kopf4j.settings;

import dev.kopf4j.DiffBaseStorage;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.ProgressStorage;
import dev.kopf4j.text.DurationText;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookAuthority;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The types of settings whose values are numbers, texts, durations, and the like. Pure. */
final class SettingTypes {
    private static final String NONE = "none";

    /** The end of the forms of those that need no value. */
    static final String OR_NONE = ", or none";

    private static final String LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";

    /** Of names of objects. */
    private static final String SUBDOMAIN = LABEL + "(?:\\." + LABEL + ")*";

    private static final Pattern NAMESPACE = Pattern.compile(LABEL);

    private static final Pattern NAME = Pattern.compile(SUBDOMAIN);

    private static final String WORDS = "[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?";

    private static final Pattern LABEL_VALUE = Pattern.compile(WORDS);

    private static final Pattern QUALIFIED_NAME = Pattern.compile("(?:(?=[^/]{1,253}/)" + SUBDOMAIN + "/)?" + WORDS);

    /** Of values of labels, and of names that are a label of DNS. */
    private static final int LABEL_MAX = 63;

    /** Longer lists are taken for endless ones, but that their beginning is looked through. */
    static final int LOOKED_THROUGH_MAX = 1000;

    /** A century: what is multiplied and counted in nanoseconds must not overflow. */
    private static final Duration LONGEST = Duration.ofDays(365L * 100);

    private SettingTypes() {}

    static SettingType<Boolean> flag() {
        Map<String, Boolean> words =
                Map.of("true", true, "yes", true, "1", true, "false", false, "no", false, "0", false);
        return new SettingType<>(
                "true or false",
                text -> chosen(words.get(text.toLowerCase(Locale.ROOT))),
                String::valueOf,
                value -> value);
    }

    static SettingType<String> text() {
        return new SettingType<>("a text", text -> text, text -> text, text -> required(text, !text.isBlank()));
    }

    /** What may be the name of an object, the value of a label and a field manager. */
    static SettingType<String> name() {
        return new SettingType<>(
                "a name of small letters, digits, dashes and dots, with a letter or digit at its ends and beside each"
                        + " dot, of " + LABEL_MAX + " characters at the most",
                text -> text,
                text -> text,
                text -> required(
                        text, text.length() <= LABEL_MAX && NAME.matcher(text).matches()));
    }

    /** The name of an object. */
    static SettingType<String> objectName() {
        return new SettingType<>(
                "a name of small letters, digits, dashes and dots, of 253 characters at the most",
                text -> text,
                text -> text,
                text -> required(
                        text, text.length() <= 253 && NAME.matcher(text).matches()));
    }

    /** A namespace, whose name is one label of DNS. */
    static SettingType<String> namespace() {
        return new SettingType<>(
                "the name of a namespace, of small letters, digits and dashes, with a letter or digit at its ends, of "
                        + LABEL_MAX + " characters at the most",
                text -> text,
                text -> text,
                text -> required(
                        text,
                        text.length() <= LABEL_MAX && NAMESPACE.matcher(text).matches()));
    }

    /** The value of a label, and a field manager. */
    static SettingType<String> labelValue() {
        return new SettingType<>(
                "a text of letters, digits, dashes, dots and underscores, with a letter or digit at its ends, of "
                        + LABEL_MAX + " characters at the most",
                text -> text,
                text -> text,
                text -> required(text, LABEL_VALUE.matcher(text).matches()));
    }

    /** A finalizer. */
    static SettingType<String> qualifiedName() {
        return new SettingType<>(
                "a qualified name such as example.com/finalizer",
                text -> text,
                text -> text,
                text -> required(text, QUALIFIED_NAME.matcher(text).matches()));
    }

    static SettingType<@Nullable String> optionalText() {
        return optional(text());
    }

    static SettingType<Integer> number(int least) {
        return number(least, Integer.MAX_VALUE, " on");
    }

    static SettingType<Integer> number(int least, int most) {
        return number(least, most, " to " + most);
    }

    private static SettingType<Integer> number(int least, int most, String end) {
        return new SettingType<>(
                "a whole number from " + least + end,
                Integer::valueOf,
                String::valueOf,
                value -> required(value, value >= least && value <= most));
    }

    /** Any whole number of 64 bits. */
    static SettingType<Long> longNumber() {
        return new SettingType<>("a whole number", Long::valueOf, String::valueOf, value -> value);
    }

    static SettingType<@Nullable Integer> optionalNumber(int least) {
        return optional(number(least));
    }

    static SettingType<Duration> duration() {
        return duration("", Duration.ZERO);
    }

    static SettingType<Duration> positiveDuration() {
        return duration(" above zero,", Duration.ofNanos(1));
    }

    /** What is shorter would be a busy loop, or is written as zero. */
    static SettingType<Duration> durationFrom(Duration least) {
        return duration(" from " + DurationText.format(least), least);
    }

    private static SettingType<Duration> duration(String condition, Duration least) {
        return duration(condition, least, LONGEST);
    }

    static SettingType<Duration> duration(String condition, Duration least, Duration most) {
        return new SettingType<>(
                "a duration (10s, 1m30s, 500ms)" + condition + " up to " + most.toDays() + " days",
                SettingTypes::duration,
                DurationText::format,
                value -> required(value, value.compareTo(least) >= 0 && value.compareTo(most) <= 0));
    }

    static SettingType<@Nullable Duration> optionalDuration() {
        return optional(positiveDuration());
    }

    static SettingType<@Nullable Duration> optionalDurationOrZero() {
        return optional(duration());
    }

    static SettingType<Iterable<Duration>> durations() {
        return new SettingType<>(
                "a list of durations (1s,2s,5s)",
                text -> Arrays.stream(text.split("[,\\s]+", -1))
                        .filter(part -> !part.isEmpty())
                        .map(SettingTypes::duration)
                        .toList(),
                durations -> durations instanceof Collection<Duration> list && list.size() <= LOOKED_THROUGH_MAX
                        ? list.stream().map(DurationText::format).collect(Collectors.joining(","))
                        : "an endless list",
                SettingTypes::finiteOrEndless);
    }

    /** What has no end can neither be copied nor looked through; what hardly has one, at its beginning only. */
    private static Iterable<Duration> finiteOrEndless(Iterable<Duration> durations) {
        if (!(durations instanceof Collection<Duration> list)) {
            return durations;
        }
        if (!list.stream().limit(LOOKED_THROUGH_MAX).allMatch(each -> each != null && !each.isNegative())) {
            throw new IllegalArgumentException("a duration is missing or negative");
        }
        return list.size() <= LOOKED_THROUGH_MAX ? List.copyOf(list) : durations;
    }

    static <T> SettingType<@Nullable T> optional(SettingType<T> type) {
        return new SettingType<>(
                type.form() + OR_NONE,
                text -> text.equalsIgnoreCase(NONE) || text.equals("null") ? null : type.parse(text),
                value -> value == null ? NONE : type.print(value),
                value -> value == null ? null : type.check(value));
    }

    /** A number alone is meant in seconds. */
    private static Duration duration(String text) {
        return DurationText.parse(text.matches("\\d+(\\.\\d+)?") ? text + "s" : text);
    }

    static <T> T chosen(@Nullable T value) {
        return required(value, true);
    }

    private static <T> T required(@Nullable T value, boolean holds) {
        if (value == null || !holds) {
            throw new IllegalArgumentException("out of range: " + value);
        }
        return value;
    }

    /** The types of settings whose values have names to choose from. Pure. */
    static final class ChoiceTypes {
        private static final Pattern SERVICE =
                Pattern.compile("service:([a-z0-9.-]+)/([a-z0-9-]+)(?::(\\d{1,5}))?(?::(\\d{1,5}))?(?:,authority=("
                        + SUBDOMAIN + "))?");

        private static final String HOW_TO_WRITE_A_SERVICE =
                "write service:NAMESPACE/NAME, and behind it :PORT of the Service"
                        + " (443) and :LISTENING, the port in the pod (9443), where they differ; for several pods"
                        + " ,authority=SECRET at the end, the Secret in that namespace with the authority they share";

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

        static SettingType<ProgressStorage> progressStorage() {
            return ofNames(Map.of(
                    "smart",
                    ProgressStorage.smart(),
                    "annotations",
                    ProgressStorage.annotations(),
                    "status",
                    ProgressStorage.status()));
        }

        static SettingType<DiffBaseStorage> diffBaseStorage() {
            return ofNames(Map.of("annotations", DiffBaseStorage.annotations(), "status", DiffBaseStorage.status()));
        }

        static SettingType<@Nullable WebhookServer> webhookServer() {
            SettingType<WebhookServer> named = ofNames(Map.of(
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
                    WebhookServer.autoTunnel()));
            return SettingTypes.optional(new SettingType<>(
                    named.form()
                            .replace(" (others", ", or service:NAMESPACE/NAME:PORT:LISTENING,authority=SECRET (others"),
                    text -> text.startsWith("service:")
                            ? ofService(text).orElseThrow(() -> new IllegalArgumentException(HOW_TO_WRITE_A_SERVICE))
                            : named.parse(text),
                    value -> printed(value).orElseGet(() -> named.print(value)),
                    value -> value));
        }

        private static Optional<String> printed(WebhookServer value) {
            WebhookClientConfig.Service service = value instanceof LocalWebhookServer local ? local.service() : null;
            if (value instanceof LocalWebhookServer server && service != null) {
                String text = "service:" + service.namespace() + "/" + service.name() + ":" + service.port() + ":"
                        + server.port()
                        + (server.authority() == null
                                ? ""
                                : ",authority=" + server.authority().secret().name());
                return Optional.of(text)
                        .filter(each -> ofService(each).filter(value::equals).isPresent());
            }
            return Optional.empty();
        }

        /**
         * A server that the API server reaches by a Service, as the Deployments of {@code kopf4j manifests} have it:
         * those of several pods share an authority, in a Secret beside the Service. Empty if the text is not written
         * so.
         */
        private static Optional<WebhookServer> ofService(String text) {
            Matcher parts = SERVICE.matcher(text);
            if (!parts.matches()) {
                return Optional.empty();
            }
            LocalWebhookServer server = WebhookServer.local()
                    .port(parts.group(4) == null ? 9443 : Integer.parseInt(parts.group(4)))
                    .service(
                            parts.group(1),
                            parts.group(2),
                            parts.group(3) == null ? 443 : Integer.parseInt(parts.group(3)));
            return Optional.of(
                    parts.group(5) == null
                            ? server
                            : server.authority(WebhookAuthority.inSecret(parts.group(1), parts.group(5))));
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

    /**
     * What values a setting has, and how they are written. Immutable.
     *
     * @param form what they look like, for people
     * @param parser reads a text; throws {@link IllegalArgumentException} if it is none
     * @param printer writes a value so that it can be read
     * @param range gives the value back if it is in the range; throws {@link IllegalArgumentException} if not
     */
    record SettingType<T extends @Nullable Object>(
            String form, Function<String, T> parser, Function<T, String> printer, UnaryOperator<T> range) {
        T parse(String text) {
            return parser.apply(text);
        }

        String print(T value) {
            return printer.apply(value);
        }

        T check(T value) {
            return range.apply(value);
        }
    }
}
