package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kopf4j.engine.simulation.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Under which names the framework logs: they are part of the contract. */
@Tag("L44")
class LoggerNamesTest {
    private static final Pattern LOGGER = Pattern.compile("getLogger\\(\"(kopf4j\\.[a-z.]+)\"");

    private static final List<String> NAMES = List.of(
            "kopf4j.activities.authentication",
            "kopf4j.activities.cleanup",
            "kopf4j.activities.probe",
            "kopf4j.activities.startup",
            "kopf4j.admission",
            "kopf4j.client",
            "kopf4j.client.requests",
            "kopf4j.console",
            "kopf4j.conversion",
            "kopf4j.http",
            "kopf4j.leading",
            "kopf4j.objects",
            "kopf4j.operator",
            "kopf4j.peering",
            "kopf4j.posting",
            "kopf4j.probe",
            "kopf4j.reactor",
            "kopf4j.recorder",
            "kopf4j.runtime",
            "kopf4j.sharding");

    private static Stream<String> namesIn(Path file) {
        try {
            return LOGGER.matcher(Files.readString(file)).results().map(found -> found.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void allNamesAreThoseOfTheDocumentation() throws IOException {
        Set<String> used = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(Path.of("src", "main", "java"))) {
            sources.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(LoggerNamesTest::namesIn)
                    .filter(name -> !name.endsWith("."))
                    .forEach(used::add);
        }
        used.addAll(NAMES.stream().filter(name -> name.contains(".activities.")).toList());
        assertThat(used).containsExactlyElementsOf(NAMES);
        String documented = Files.readString(Path.of("..", "docs", "observability.md"));
        assertThat(NAMES).allSatisfy(name -> assertThat(documented).contains("`" + name + "`"));
    }

    private static Set<String> loggersOfAStory(Level level, String name) {
        Logger root = (Logger) LoggerFactory.getLogger("kopf4j");
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        root.addAppender(appender);
        Level before = root.getLevel();
        root.setLevel(Level.DEBUG);
        try (Scenario story = new Scenario()) {
            ((Logger) LoggerFactory.getLogger(name)).setLevel(level);
            story.start(builder -> builder.onStartup("startup", context -> {
                        context.logger().info("starts");
                        return null;
                    })
                    .onCleanup("cleanup", context -> null)
                    .onCreate("kex", "create", context -> null));
            story.server.create(Scenario.example());
            story.rest();
        } finally {
            root.setLevel(before);
            root.detachAppender(appender);
        }
        return appender.list.stream().map(ILoggingEvent::getLoggerName).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kopf4j.objects",
                "kopf4j.activities.startup",
                "kopf4j.activities.cleanup",
                "kopf4j.operator",
                "kopf4j.client"
            })
    void eachCanBeSilenced(String name) {
        Logger logger = (Logger) LoggerFactory.getLogger(name);
        Level before = logger.getLevel();
        try {
            assertThat(loggersOfAStory(Level.DEBUG, name)).contains(name);
            assertThat(loggersOfAStory(Level.OFF, name)).hasSizeGreaterThan(2).doesNotContain(name);
        } finally {
            logger.setLevel(before);
        }
    }
}
