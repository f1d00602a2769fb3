package dev.kopf4j.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Makes what kubectl prints comparable with what it printed elsewhere and at another time. The rules are those by which
 * the sessions were recorded. Immutable.
 */
final class KubectlText {
    private static final Pattern COLOUR = Pattern.compile("\\x1b\\[[0-9;]*m");
    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    private static final Pattern MAIL_TIME = Pattern.compile(
            "\\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d [+-]\\d{4}");
    private static final Pattern AGE =
            Pattern.compile("(?<![\\w.:/-])(\\d+y)?(\\d+d)?(\\d+h)?(\\d+m)?(\\d+(\\.\\d+)?m?s)(?![\\w/.-])"
                    + "|(?<![\\w.:/-])(\\d+d)?(\\d+h)?\\d+m(?=\\s|$|\\))|<(invalid|unknown)>(?=\\s*$)");
    private static final Pattern INVALID = Pattern.compile("^The .* is invalid:", Pattern.MULTILINE);
    private static final String FIELD = "[\\w.\\[\\]<>\"/-]+";

    private final Map<String, String> names;

    /** With names of here, and what they are called there. */
    KubectlText(Map<String, String> names) {
        this.names = Map.copyOf(names);
    }

    // When a wait is over, kubectl chooses by chance between two channels that are ready, and one choice is told.
    private static final String CHANCE = "(?m)^<log> reflector\\.go.*very short watch.*\n";

    /** Without what differs from one run to the next. */
    String comparable(String printed, JsonNode command) {
        String text = withoutTheseNames(COLOUR.matcher(printed).replaceAll(""));
        text = UID.matcher(text).replaceAll("<uid>");
        text = TIME.matcher(text).replaceAll(KubectlText::unlessLongAgo);
        text = MAIL_TIME.matcher(text).replaceAll("<time>");
        text = text.replaceAll("(resourceVersion\"?: )\"[1-9]\\d*\"", "$1\"<rv>\"");
        text = text.replaceAll("(Resource Version:\\s+)[1-9]\\d*", "$1<rv>");
        text = text.replaceAll("/tmp/(LIVE|MERGED)-\\d+/", "/tmp/$1/");
        text = text.replaceAll("\\S*/(LIVE|MERGED)-\\d+/", "$1/");
        text = text.replaceAll("(?m)^((?:---|\\+\\+\\+) \\S+)\\s.*$", "$1");
        if (!command.path("keepAges").booleanValue(false)) {
            text = AGE.matcher(text).replaceAll("<age>");
        }
        if (command.path("table").booleanValue(true)) {
            text = eachLine(
                    text, line -> line.replaceAll("(?<=\\S) {2,}(?=\\S)", "  ").stripTrailing());
        }
        text = withoutWords(text);
        for (JsonNode mask : command.path("mask")) {
            text = Pattern.compile(mask.get(0).stringValue(), Pattern.MULTILINE)
                    .matcher(text)
                    .replaceAll(mask.get(1).stringValue().replaceAll("\\\\(\\d)", "\\$$1")); // \1 there, $1 here
        }
        return chosen(text, command);
    }

    private String withoutTheseNames(String printed) {
        String text = printed;
        for (Map.Entry<String, String> name : names.entrySet()) {
            text = text.replace(name.getKey(), name.getValue());
        }
        return text;
    }

    private static String unlessLongAgo(MatchResult time) {
        Duration since = Duration.between(Instant.parse(time.group()), Instant.now());
        return since.abs().compareTo(Duration.ofHours(1)) < 0 ? "<time>" : time.group();
    }

    private interface OfLine {
        String apply(String line);
    }

    private static String eachLine(String text, OfLine change) {
        return Stream.of(text.split("\n", -1)).map(change::apply).collect(Collectors.joining("\n"));
    }

    /** How a violation is worded is not compared, but its field is. */
    private static String withoutWords(String printed) {
        String text = printed;
        if (INVALID.matcher(text).find()) {
            text = lines(text, "^(The |\\* |[Ww]arning:|[Ee]rror)");
            text = Pattern.compile("^(The .* is invalid:)(?: (" + FIELD + "):)?.*$", Pattern.MULTILINE)
                    .matcher(text)
                    .replaceAll(found -> java.util.regex.Matcher.quoteReplacement(
                            found.group(1) + (found.group(2) == null ? " ..." : " " + found.group(2) + ": ...")));
        }
        text = text.replaceAll("(?m)^[FEWI]\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d+ +\\d+ ", "<log> ");
        text = text.replaceAll(CHANCE, "");
        text = text.replaceAll("\\S*/kubectl-edit-\\d+", "kubectl-edit");
        text = text.replaceAll("(?m)^\\* (" + FIELD + "): .*$", "* $1: ...");
        return Pattern.compile("(?m)(?:^\\* .*\n){2,}")
                .matcher(text)
                .replaceAll(found -> java.util.regex.Matcher.quoteReplacement(
                        found.group().lines().sorted().map(line -> line + "\n").collect(Collectors.joining())));
    }

    private static String lines(String text, String pattern) {
        Pattern wanted = Pattern.compile(pattern);
        return joined(List.of(text.split("\n", -1)).stream()
                .filter(line -> wanted.matcher(line).find()));
    }

    private static String joined(Stream<String> lines) {
        return lines.map(line -> line + "\n").collect(Collectors.joining());
    }

    private static String chosen(String printed, JsonNode command) {
        String text = printed;
        if (command.path("only").isString()) {
            text = lines(text, command.get("only").stringValue().replace("${p}", "\\$\\{p\\}"));
        }
        if (command.path("sort").booleanValue(false)) {
            text = joined(
                    Stream.of(text.split("\n")).filter(line -> !line.isEmpty()).sorted());
        }
        return text;
    }
}
