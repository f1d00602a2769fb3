package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code kopf4j types}. */
class TypesCommandTest {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: websites.example.com}
            spec:
              group: example.com
              names: {kind: Website, plural: websites, shortNames: [ws]}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    description: A site.
                    type: object
                    required: [spec]
                    properties:
                      spec:
                        description: |-
                          What is wanted,
                          in a few words.
                        type: object
                        required: [html, policy, class]
                        properties:
                          html: {type: string, description: what it shows, maxLength: 1000}
                          class: {type: string}
                          replicas: {type: integer, format: int32, default: 1}
                          policy: {type: string, enum: [Always, "on-demand"]}
                          ports:
                            type: array
                            x-kubernetes-list-type: map
                            x-kubernetes-list-map-keys: [name]
                            items:
                              type: object
                              required: [name]
                              properties:
                                name: {type: string}
                                port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
                      status:
                        type: object
                        properties:
                          url: {type: string}
            """;

    @TempDir
    private Path folder;

    private Path definition() throws IOException {
        return Files.writeString(folder.resolve("crd.yaml"), DEFINITION);
    }

    @Test
    @Tag("M15")
    void writesRecords() throws IOException {
        var run = CommandRun.of("types", definition().toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).isEqualTo("""
                import com.fasterxml.jackson.annotation.JsonProperty;
                import dev.kopf4j.crd.CustomResource;
                import dev.kopf4j.crd.Schema;
                import java.util.List;
                import org.jspecify.annotations.Nullable;

                /// A site.
                @CustomResource(
                        group = "example.com",
                        version = "v1",
                        shortNames = "ws")
                record Website(
                        Spec spec,
                        @Nullable Status status) {

                    /// What is wanted,
                    /// in a few words.
                    ///
                    /// @param html what it shows
                    record Spec(
                            @Schema(maxLength = 1000) String html,
                            @JsonProperty("class") String classValue,
                            @Schema(defaultValue = "1") int replicas,
                            Policy policy,
                            @Schema(listMapKeys = "name") @Nullable List<Port> ports) {

                        enum Policy {
                            Always,
                            @JsonProperty("on-demand")
                            ON_DEMAND
                        }

                        record Port(
                                String name,
                                @Schema(intOrString = true) @Nullable Object port) {}
                    }

                    record Status(
                            @Nullable String url) {}
                }
                """);
    }

    @Test
    @Tag("M15")
    void whatIsWrittenGivesTheSameDefinition() throws IOException {
        var written = CommandRun.of(
                "types", definition().toString(), "--output", folder.toString(), "--package", "com.example");
        Path file = folder.resolve("Website.java");
        assertThat(written.out()).isEqualTo(file + "\n");
        assertThat(Files.readString(file))
                .startsWith("// Made by `kopf4j types`, which makes it anew as long as this line is there.\n"
                        + "package com.example;\n")
                .contains("public record Website(");
        var check =
                CommandRun.of("crd", file.toString(), "--against", definition().toString());
        assertThat(check.err()).isEmpty();
        assertThat(check.out()).as("but for the range of an int").isEqualTo("""
                websites.example.com: change: v1 spec.replicas: minimum was not there, and would be -2147483648
                websites.example.com: change: v1 spec.replicas: maximum was not there, and would be 2147483647
                """);
        assertThat(CommandRun.of("crd", file.toString()).out())
                .contains("description: what it shows")
                .contains("What is wanted,\n              in a few words.");
    }

    /** Such as a record that was edited, and has not that line any more. */
    @Test
    void classesOfPeopleAreNotOverwritten() throws IOException {
        String[] command = {"types", definition().toString(), "--output", folder.toString()};
        for (int time = 0; time < 2; time++) {
            assertThat(CommandRun.of(command).exitCode()).isEqualTo(ExitCode.OK);
        }
        Path file = Files.writeString(folder.resolve("Website.java"), "record Website() {}");
        var refused = CommandRun.of(command);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err())
                .contains(file + " was not made by `kopf4j types`, and would be overwritten;"
                        + " name another folder, or delete the file.");
        assertThat(file).hasContent("record Website() {}");
    }

    @Test
    @Tag("M15")
    void writesNothingOutsideOfTheFolder() throws IOException {
        Path file =
                Files.writeString(folder.resolve("crd.yaml"), DEFINITION.replace("kind: Website", "kind: ../Website"));
        Path output = folder.resolve("records");
        var run = CommandRun.of("types", file.toString(), "--output", output.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("cannot be the name of a record: \"../Website\"");
        assertThat(folder.resolve("Website.java")).doesNotExist();
        assertThat(output).doesNotExist();
    }

    @ParameterizedTest
    @Tag("M15")
    @ValueSource(strings = {"a b", "com.example.", ".a", "com..example", "com.class", "1a", "a/b", " ", "a;"})
    void refusesWhatIsNoPackage(String name) throws IOException {
        Path output = folder.resolve("records");
        var run = CommandRun.of("types", definition().toString(), "--output", output.toString(), "--package", name);
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--package must be the name of a Java package", "'" + name + "'");
        assertThat(output).doesNotExist();
    }

    @Test
    @Tag("M15")
    void saysWhatIsMissing() throws IOException {
        Path other = Files.writeString(folder.resolve("other.yaml"), "kind: ConfigMap\n");
        assertThat(CommandRun.of("types", other.toString()).err())
                .contains("There is no CustomResourceDefinition in ")
                .contains("kubectl get crd NAME -o yaml");
        assertThat(CommandRun.of("types", folder.resolve("none.yaml").toString())
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
        assertThat(CommandRun.of("types", definition().toString(), "--package", "a")
                        .err())
                .contains("--package works with --output only");
    }
}
