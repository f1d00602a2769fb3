package dev.kopf4j.cli.project;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The templates of this program, in which <code>{{name}}</code> stands for a value. Immutable. */
final class Templates {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)}}");

    private final Map<String, String> values;

    /** With these values, and the versions of what projects use. */
    Templates(Map<String, String> values) {
        this.values = new HashMap<>(values);
        versions().forEach((key, value) -> this.values.put((String) key, (String) value));
    }

    private static Properties versions() {
        Properties versions = new Properties();
        try (InputStream file = open("versions.properties")) {
            versions.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Reading the versions failed", e);
        }
        return versions;
    }

    /** The template, filled in. */
    String filled(String template) {
        try (InputStream file = open(template)) {
            return filledText(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("Reading the template " + template + " failed", e);
        }
    }

    /** A text, such as a path, filled in. */
    String filledText(String text) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> java.util.regex.Matcher.quoteReplacement(value(found)));
    }

    private String value(MatchResult found) {
        String value = values.get(found.group(1));
        if (value == null) {
            throw new IllegalStateException("no value for " + found.group());
        }
        return value;
    }

    private static InputStream open(String file) throws IOException {
        InputStream stream = Templates.class.getResourceAsStream(file);
        if (stream == null) {
            throw new IOException("the program has no file " + file);
        }
        return stream;
    }
}
