package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.file.BesideClass;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rules of an API group that are one fact each, of {@code rules/GROUP.txt}; read when the first of them is asked
 * for. Thread-safe.
 *
 * <p>A line without indentation begins the rules of a kind, by its plural, or of a shape that several have; behind the
 * name stand the traits that {@link TableStrategy} obeys. Rows below it are checked in their order:
 *
 * <pre>
 * PATH [as SHOWN] CHECK | CHECK   the checks of a value, until one fails; rows below it are of paths within it,
 *                                 and are looked at if it is there; behind PATH! even if it is not
 * if CONDITION / else             rows below it, if it holds; "elif CONDITION" after it
 * </pre>
 *
 * A path has fields with dots between them, <code>[]</code> for all elements, <code>{}</code> for all entries, <code>
 * {KEY}</code> for one of them, {@code @} for the key of one, and {@code *} for all fields; a dot is the value itself,
 * {@code SHOWN} the path that errors name instead, a dot that of the value which the row is within. A condition has
 * terms that must all hold, with {@code or} between alternatives: {@code new}, {@code update}, {@code status} (what is
 * written), {@code PATH} (neither missing nor 0, false or empty), {@code PATH*} (present), {@code ~PATH} (changed),
 * {@code PATH=A|B}, {@code !=}, {@code ==TEXT}, in which <code>{PATH}</code> is a value, {@code =~REGEX}, {@code <},
 * {@code >} with a number or another path, {@code #PATH} for the size; {@code !} negates, and {@code LIST[].FIELD} is
 * any of the texts that the elements have there. Its paths begin at the place of the rows, those with {@code /} at the
 * object, with {@code ^} one level above, with {@code old/} at the former value.
 *
 * <p>Checks with a capital always fail: {@code Required}, {@code Forbidden}, {@code Invalid}, {@code Unsupported
 * WORDS}, {@code NotFound}. The others are in {@link #check}. Behind most of them stands the message, with <code>{PATH}
 * </code> for values and first, in angle brackets, the value that is shown if it is another. {@code use SHAPE
 * ARGUMENTS} has the rules of a shape, with its {@code $1} replaced, {@code use GROUP:SHAPE} those of another table;
 * {@code call NAME} a function, {@code is FORMAT} a format of texts ({@code is!}: even of empty ones). {@code Warn},
 * and {@code warn} of what is there, warn of a value instead. {@code set JSON} is the value of what is not there,
 * {@code fill JSON} of what is empty, too, {@code put JSON} of all; {@code copy PATH} takes the value beside an empty
 * one ({@code copy!}: or another one), {@code merge PATH} the entries of the map beside it that are not there,
 * {@code drop} is without the value.
 */
public final class RuleTable {
    private static final Pattern STEP = Pattern.compile("\\[]|\\{[^}]*}|[^.\\[{]+");
    private static final Map<String, RuleTable> SHARED = new ConcurrentHashMap<>();

    private final String group;
    private final Functions functions;
    private final Map<String, Rule> shapes = new ConcurrentHashMap<>();
    private @Nullable Map<String, List<String>> sections;

    private RuleTable(String group, Functions functions) {
        this.group = group;
        this.functions = Functions.firstOf(functions, RuleFunctions::named, PodRuleFunctions::named);
    }

    /** What rows call, by its name. It is made when it is asked for: a server that starts needs little of it. */
    @FunctionalInterface
    public interface Functions {
        /** What reports the errors of a value; null if there is nothing of that name. */
        @Nullable BiConsumer<Place, FieldChecks> named(String name);

        /** The functions of all of these. */
        static Functions firstOf(Functions... all) {
            return name -> {
                for (Functions each : all) {
                    BiConsumer<Place, FieldChecks> found = each.named(name);
                    if (found != null) {
                        return found;
                    }
                }
                return null;
            };
        }
    }

    /**
     * The table of a group, from now on for everybody.
     *
     * @param group the first part of its name; {@code core} for the one without a name
     * @param functions what its rows call besides the common functions
     */
    public static RuleTable of(String group, Functions functions) {
        RuleTable table = new RuleTable(group, functions);
        SHARED.put(group, table);
        return table;
    }

    /** The table of a group, or of what several have in common. */
    public static RuleTable of(String group) {
        return SHARED.computeIfAbsent(group, name -> new RuleTable(name, _ -> null));
    }

    /** Reports the errors of a value, by the rules of a kind or shape; nothing if there are none. */
    public void check(String shape, Place place, FieldChecks checks) {
        shapes.computeIfAbsent(shape, this::read).apply(place, checks);
    }

    /** The traits of a kind. */
    List<String> traits(String kind) {
        return List.of(sections().getOrDefault(kind, List.of("")).getFirst().split(" +", -1));
    }

    private synchronized Map<String, List<String>> sections() {
        Map<String, List<String>> known = sections;
        if (known == null) {
            known = new HashMap<>();
            List<String> current = new ArrayList<>();
            for (String line : lines()) {
                if (!line.startsWith(" ")) {
                    current = new ArrayList<>();
                    known.put(line.split(" ", 2)[0], current);
                    current.add(line);
                } else {
                    current.add(line);
                }
            }
            sections = known;
        }
        return known;
    }

    private List<String> lines() {
        String file = "rules/" + group + ".txt";
        return RuleTable.class.getResource(file) == null ? List.of() : BesideClass.lines(RuleTable.class, file);
    }

    /** The rules of {@code SHAPE ARGUMENT...}. */
    private Rule read(String used) {
        String[] words = used.split(" ", -1);
        List<String> lines = sections().get(words[0]);
        if (lines == null) {
            return (place, checks) -> {};
        }
        List<String> rows = new ArrayList<>(lines.subList(1, lines.size()));
        for (int index = 1; index < words.length; index++) {
            String argument = words[index];
            String mark = "$" + index;
            rows.replaceAll(row -> row.replace(mark, argument));
        }
        return new Reader(rows).block(0);
    }

    /** What is checked at a place. */
    @FunctionalInterface
    private interface Rule {
        void apply(Place place, FieldChecks checks);
    }

    /** Reads rows by their indentation. */
    private final class Reader {
        private final List<String> rows;
        private int next;

        Reader(List<String> rows) {
            this.rows = rows;
        }

        private int depth() {
            return next < rows.size()
                    ? rows.get(next).length() - rows.get(next).stripLeading().length()
                    : 0;
        }

        /** The rows that are deeper than their parent. */
        Rule block(int parent) {
            List<Rule> rules = new ArrayList<>();
            int depth = depth();
            while (depth() > parent) {
                if (depth() != depth) {
                    throw new IllegalArgumentException("indentation of " + rows.get(next));
                }
                String row = rows.get(next).strip();
                rules.add(row.startsWith("if ") ? choice(depth) : row(depth));
            }
            return (place, checks) -> rules.forEach(rule -> rule.apply(place, checks));
        }

        private Rule choice(int depth) {
            String row = rows.get(next++).strip();
            Predicate<Place> condition = RuleCondition.of(row.substring(row.indexOf(' ') + 1));
            Rule then = block(depth);
            String other =
                    depth() == depth && next < rows.size() ? rows.get(next).strip() : "";
            Rule otherwise = (place, checks) -> {};
            if (other.equals("else")) {
                next++;
                otherwise = block(depth);
            } else if (other.startsWith("elif ")) {
                otherwise = choice(depth);
            }
            Rule last = otherwise;
            return (place, checks) -> (condition.test(place) ? then : last).apply(place, checks);
        }

        private Rule row(int depth) {
            String[] parts = rows.get(next++).strip().split(" ", 2);
            String rest = parts.length > 1 ? parts[1] : "";
            boolean always = parts[0].endsWith("!");
            String path = always ? parts[0].substring(0, parts[0].length() - 1) : parts[0];
            String shown = path;
            if (rest.startsWith("as ")) {
                String[] words = rest.split(" ", 3);
                shown = words[1];
                rest = words.length > 2 ? words[2] : "";
            }
            List<Rule> chain = new ArrayList<>();
            if (!rest.isEmpty()) {
                for (String text : rest.split(" \\| ", -1)) {
                    String[] words = text.strip().split(" ", 2);
                    chain.add(rule(words[0], words.length > 1 ? words[1] : ""));
                }
            }
            Rule below = block(depth);
            Rule here = (place, checks) -> {
                int before = checks.errors().size();
                for (Rule rule : chain) {
                    if (checks.errors().size() == before) {
                        rule.apply(place, checks);
                    }
                }
                if (always || place.isPresent()) {
                    below.apply(place, checks);
                }
            };
            return at(path, shown, here);
        }
    }

    /** A rule of what is at a path; its last field has the name that errors show, those before it none. */
    private static Rule at(String path, String shown, Rule rule) {
        if (path.equals(".")) {
            return rule;
        }
        boolean renamed = !shown.equals(path);
        boolean numbered = !renamed || shown.endsWith("]");
        String label = shown.equals(".") ? "" : shown.endsWith("[]") ? shown.substring(0, shown.length() - 2) : shown;
        boolean named = false;
        Rule found = rule;
        for (String step : steps(path).reversed()) {
            Rule inner = found;
            if (step.equals("[]")) {
                found = (place, checks) -> {
                    for (int index = 0; index < place.now().size(); index++) {
                        inner.apply(place.element(index, numbered), checks);
                    }
                };
            } else if (step.equals("{}")) {
                found = (place, checks) ->
                        List.copyOf(place.now().propertyNames()).forEach(key -> inner.apply(place.entry(key), checks));
            } else if (step.equals("@")) {
                found = (place, checks) -> inner.apply(place.key(), checks);
            } else if (step.startsWith("{") && !renamed) {
                String key = step.substring(1, step.length() - 1);
                found = (place, checks) -> inner.apply(place.entry(key), checks);
            } else if (step.equals("*")) {
                found = (place, checks) ->
                        place.now().propertyNames().forEach(key -> inner.apply(place.field(key, key), checks));
            } else {
                String name = !renamed ? step : named ? "" : label;
                String field = step.startsWith("{") ? step.substring(1, step.length() - 1) : step;
                found = (place, checks) -> inner.apply(place.field(field, name), checks);
                named = true;
            }
        }
        return found;
    }

    /** The steps of a path. */
    static List<String> steps(String path) {
        return STEP.matcher(path).results().map(MatchResult::group).toList();
    }

    /** The check of a name and its arguments. */
    private Rule rule(String name, String arguments) {
        boolean empty = name.endsWith("!");
        String[] first = arguments.split(" ", 2);
        String message = first.length > 1 ? first[1] : "";
        return switch (empty ? name.substring(0, name.length() - 1) : name) {
            case "use" -> {
                int colon = arguments.indexOf(':');
                RuleTable table = colon < 0 ? this : of(arguments.substring(0, colon));
                String shape = arguments.substring(colon + 1);
                yield (place, checks) -> table.check(shape, place, checks);
            }
            case "call" -> {
                BiConsumer<Place, FieldChecks> function = functions.named(arguments);
                if (function == null) {
                    throw new IllegalArgumentException("no function " + arguments);
                }
                yield function::accept;
            }
            case "is" -> {
                UnaryOperator<String> format = RuleFunctions.format(first[0]);
                if (format == null) {
                    throw new IllegalArgumentException("no format " + first[0]);
                }
                yield (place, checks) -> {
                    if (empty || !place.text().isEmpty()) {
                        checks.problem(format.apply(place.text()), place.path(), place.text());
                    }
                };
            }
            case "set", "fill", "put" -> {
                JsonNode value = Json.parse(arguments);
                yield (place, checks) -> {
                    boolean blank = name.equals("fill")
                            && place.now().isEmpty()
                            && place.text().isEmpty();
                    if (name.equals("put") || blank || !place.isPresent()) {
                        place.put(value);
                    }
                };
            }
            case "Required" ->
                (place, checks) -> checks.add(FieldError.required(place.path(), words(arguments, place)));
            case "Forbidden" ->
                (place, checks) -> checks.add(FieldError.forbidden(place.path(), words(arguments, place)));
            case "Invalid" -> (place, checks) -> invalid(place, arguments, checks);
            case "Warn" -> (place, checks) -> warn(place, arguments, checks);
            case "warn" ->
                (place, checks) -> {
                    if (place.isPresent()) {
                        warn(place, arguments, checks);
                    }
                };
            case "copy" -> {
                Function<Place, JsonNode> found = RuleCondition.value(arguments);
                yield (place, checks) -> {
                    JsonNode source = found.apply(place.parent());
                    if ((empty || RuleCondition.isZero(place.now())) && !RuleCondition.isZero(source)) {
                        place.put(source);
                    }
                };
            }
            case "merge" -> {
                Function<Place, JsonNode> found = RuleCondition.value(arguments);
                yield (place, checks) -> found.apply(place.parent())
                        .properties()
                        .forEach(entry -> {
                            ObjectNode map = place.made();
                            if (!map.has(entry.getKey())) {
                                map.set(entry.getKey(), entry.getValue());
                            }
                        });
            }
            case "drop" -> (place, checks) -> place.drop();
            case "NotFound" -> (place, checks) -> checks.add(FieldError.notFound(place.path(), place.shown()));
            case "Unsupported" ->
                (place, checks) -> {
                    String[] parts = shownAndRest(arguments, place);
                    checks.add(FieldError.notSupported(place.path(), parts[0], List.of(parts[1].split("[ ,]", -1))));
                };
            case "required" ->
                (place, checks) -> {
                    if (!place.isPresent()
                            || (place.now().isString() && place.text().isEmpty())
                            || (place.now().isArray() && place.now().isEmpty())) {
                        checks.add(FieldError.required(place.path(), words(arguments, place)));
                    }
                };
            case "forbidden" ->
                (place, checks) -> {
                    if (place.isPresent()) {
                        checks.add(FieldError.forbidden(place.path(), words(arguments, place)));
                    }
                };
            case "oneof" -> {
                List<String> words = List.of(arguments.split(arguments.contains(", ") ? ", " : "[ ,]", -1));
                yield (place, checks) -> {
                    String value = place.now().asString("");
                    if ((empty || !value.isEmpty()) && !words.contains(value)) {
                        checks.add(FieldError.notSupported(place.path(), FieldError.quote(value), words));
                    }
                };
            }
            case "atleast" -> {
                long bound = Long.parseLong(first[0]);
                String usual = bound == 1 ? "must be greater than 0" : "must be greater than or equal to " + bound;
                yield number(empty, value -> value < bound, message.isEmpty() ? usual : message);
            }
            case "atmost" -> {
                String rule = message.isEmpty() ? "must be less than or equal to " + first[0] : message;
                ToLongFunction<Place> most = RuleCondition.number(first[0], false);
                yield (place, checks) -> {
                    long bound = most.applyAsLong(place.parent());
                    number(empty, value -> value > bound, rule).apply(place, checks);
                };
            }
            case "length" -> {
                int most = Integer.parseInt(first[0]);
                String rule = message.isEmpty() ? "must be no more than " + most + " characters" : message;
                yield (place, checks) -> {
                    if (place.text().length() > most) {
                        invalid(place, rule, checks);
                    }
                };
            }
            case "bytes" ->
                (place, checks) -> {
                    if (place.text().length() > Integer.parseInt(arguments)) {
                        String rule = "Too long: may not be more than " + arguments + " bytes";
                        checks.add(new FieldError(FieldError.Type.TOO_LONG, rule, place.path()));
                    }
                };
            case "items" ->
                (place, checks) -> {
                    if (place.now().size() > Integer.parseInt(arguments)) {
                        checks.add(FieldError.tooMany(place.path(), place.now().size(), Integer.parseInt(arguments)));
                    }
                };
            case "unique" -> {
                Object rule = arguments.startsWith("^") ? arguments : new Object();
                if (arguments.contains(",")) {
                    List<String> fields = List.of(arguments.split(",", -1));
                    yield (place, checks) -> {
                        String key = fields.stream()
                                .map(field -> Json.text(place.now().path(field)))
                                .collect(Collectors.joining(","));
                        if (place.array().hasSeen(rule, key)) {
                            checks.add(FieldError.duplicate(place.path(), place.shown()));
                        }
                    };
                }
                yield (place, checks) -> {
                    boolean below = !arguments.isEmpty() && !arguments.startsWith("^");
                    Place key = below ? place.field(arguments, arguments) : place;
                    Place within = arguments.startsWith("^") ? RuleCondition.up(place, arguments) : key.array();
                    if ((empty || !key.shown().equals("\"\"")) && key.isRepeated(within, rule)) {
                        checks.add(FieldError.duplicate(key.path(), key.shown()));
                    }
                };
            }
            case "once" -> {
                Object rule = new Object();
                yield (place, checks) -> {
                    if (place.isRepeated(place.array(), rule)) {
                        invalid(place, arguments, checks);
                    }
                };
            }
            case "empty" ->
                (place, checks) -> {
                    if (place.now().isString() || !place.now().isEmpty()) {
                        checks.add(FieldError.forbidden(place.path(), words(arguments, place)));
                    }
                };
            case "onlychanges" -> {
                List<String> fields = List.of(first[0].split(",", -1));
                yield (place, checks) -> {
                    if (!place.draft().isNew()
                            && !JsonEquality.same(without(fields, place.before()), without(fields, place.now()))) {
                        checks.add(FieldError.forbidden(place.path(), words(message, place)));
                    }
                };
            }
            case "allof" -> {
                List<String> words = List.of(arguments.split(" ", -1));
                yield (place, checks) -> {
                    if (!place.now().valueStream().allMatch(value -> words.contains(value.asString("")))) {
                        checks.add(FieldError.notSupported(place.path(), place.shown(), words));
                    }
                };
            }
            case "immutable" ->
                (place, checks) -> {
                    if (!place.draft().isNew()) {
                        checks.immutable(place.now(), place.before(), place.path());
                    }
                };
            case "fixed" ->
                (place, checks) -> {
                    if (!place.draft().isNew() && !JsonEquality.same(place.now(), place.before())) {
                        checks.add(FieldError.forbidden(place.path(), words(arguments, place)));
                    }
                };
            default -> throw new IllegalArgumentException("no check " + name + " in the rules of " + group);
        };
    }

    private static Rule number(boolean always, Predicate<Long> wrong, String message) {
        return (place, checks) -> {
            long value = place.now().longValue(0);
            if ((always || place.now().isNumber()) && wrong.test(value)) {
                checks.add(FieldError.invalid(place.path(), String.valueOf(value), words(message, place)));
            }
        };
    }

    private static void warn(Place place, String message, FieldChecks checks) {
        checks.warn((place.path().isEmpty() ? "" : place.path() + ": ") + words(message, place));
    }

    private static void invalid(Place place, String message, FieldChecks checks) {
        String[] parts = shownAndRest(message, place);
        checks.add(FieldError.invalid(place.path(), parts[0], words(parts[1], place)));
    }

    /** The value that is shown, which may stand in angle brackets before the rest of a row, and that rest. */
    private static String[] shownAndRest(String row, Place place) {
        int end = row.startsWith("<") ? row.indexOf("> ") : -1;
        return end < 0
                ? new String[] {place.shown(), row}
                : new String[] {given(row.substring(1, end), place), row.substring(end + 2)};
    }

    /** The value that a row shows: {@code #} is the number or 0, what is in quotes is quoted again. */
    private static String given(String shown, Place place) {
        if (shown.equals("#")) {
            return String.valueOf(place.now().longValue(0));
        }
        return shown.length() > 1 && shown.startsWith("\"")
                ? FieldError.quote(words(shown.substring(1, shown.length() - 1), place))
                : words(shown, place);
    }

    private static ObjectNode without(List<String> fields, JsonNode value) {
        ObjectNode copy = value.isObject() ? ((ObjectNode) value).deepCopy() : Json.object();
        return copy.without(fields);
    }

    /** A text with the values of the paths that stand in it in braces. */
    static String words(String message, Place place) {
        return RuleCondition.text(message).apply(place);
    }
}
