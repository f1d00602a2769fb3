package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The documentation of the settings is made of their table: {@code cp core/target/settings.md docs/settings.md}. */
class SettingsPageTest {
    private static final String HEAD = """
            # Settings

            How an operator works. All settings have defaults; each can be changed in several places, of which the first one in
            this list wins:

            1. start-up handlers: `@OnStartup void configure(OperatorSettings settings) {...}`
            2. options of the command line, such as `--priority`; in an application, `Operator.builder().settings(...)`
            3. the environment: `KOPF4J_SETTINGS_PEERING_PRIORITY=100`
            4. system properties: `-Dkopf4j.settings.peering.priority=100`
            5. a YAML file: `kopf4j run --config kopf4j.yaml`

            ```yaml
            # kopf4j.yaml
            peering: {priority: 100}
            networking:
              errorBackoffs: [1s, 2s, 500ms]
            ```

            ```java
            import dev.kopf4j.*;
            import java.time.Duration;

            class Configured {
                @OnStartup
                void configure(OperatorSettings settings) {
                    settings.peering().priority(100);
                    settings.networking().requestTimeout(Duration.ofSeconds(30));
                }
            }
            ```

            A warning tells when a start-up handler sets something else than was given by 2 to 5 (but not in code).

            `kopf4j config` prints the values in force, in the form of such a file, and where each came from; with `--changed`, those that are no defaults:

            ```console
            $ kopf4j config --config kopf4j.yaml --set posting.level=warn --changed
            posting:
              level: warn                                      # the option --set
            peering:
              priority: 100                                    # the file kopf4j.yaml
            networking:
              errorBackoffs: 1s,2s,500ms                       # the file kopf4j.yaml
            ```

            An application reads the
            places that it wants to obey, in its own order:

            ```java
            import dev.kopf4j.*;

            class Main {
                static void main(String[] arguments) {
                    Operator.builder()
                            .clusterwide()
                            .settings(s -> s.readFile(java.nio.file.Path.of("kopf4j.yaml")).readEnvironment(System.getenv()))
                            .onCreate("kopfexamples", "make", ctx -> null)
                            .build()
                            .run();
                }
            }
            ```

            Names that do not exist, and values of another type, are errors that name the nearest right name. Words may also be
            joined by `_` or `-` (`error_backoffs`). Durations are written as `10s`, `1m30s`, `500ms` or `PT5M`; a number alone is
            meant in seconds; `none` stands for no value. When the start-up handlers have ended, settings are read-only. Each run of
            an operator has its own copy.

            The table is made of the code (`SettingsPageTest`), not to be edited.
            """;

    @Test
    void documentationIsThatOfTheTable() throws IOException {
        Path target = Files.writeString(Path.of("target", "settings.md"), page());
        assertThat(Path.of("..", "docs", "settings.md"))
                .as("cp core/%s docs/settings.md", target)
                .content()
                .isEqualTo(page());
    }

    private static String page() {
        StringBuilder page = new StringBuilder(HEAD);
        String group = "";
        for (Setting setting : OperatorSettings.all()) {
            String next = setting.name().substring(0, setting.name().indexOf('.'));
            if (!next.equals(group)) {
                group = next;
                page.append("\n## ")
                        .append(group)
                        .append("\n\n| setting | default | what for | value |\n|---|---|---|---|\n");
            }
            page.append("| `%s` | `%s` | %s | %s |\n"
                    .formatted(setting.name(), setting.defaultText(), setting.description(), setting.form()));
        }
        return page.toString();
    }
}
