package dev.kopf4j.cli.project;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a new project consists of: paths, and their templates. */
public enum ProjectKind {
    /** Built by Maven. */
    MAVEN("maven", Map.of("pom.xml", "pom.xml")),
    /** Built by Gradle. */
    GRADLE("gradle", Map.of("build.gradle.kts", "build.gradle.kts", "settings.gradle.kts", "settings.gradle.kts"));

    @SuppressWarnings("ImmutableEnumChecker") // filled here, in order, and only read afterwards
    private final Map<String, String> files = new LinkedHashMap<>();

    ProjectKind(String tool, Map<String, String> build) {
        files.putAll(build);
        files.put("README.md", "README." + tool + ".md");
        files.put(".gitignore", "gitignore." + tool);
        files.put("Dockerfile", "Dockerfile." + tool);
        files.put(".github/workflows/build.yaml", "ci-" + tool + ".yaml");
        files.put("example.yaml", "example.yaml");
        files.put("src/main/java/{{folder}}/{{Kind}}.java", "Type.java");
        files.put("src/main/java/{{folder}}/{{Kind}}Operator.java", "Operator.java");
        files.put("src/main/resources/logback.xml", "logback.xml");
        files.put("src/test/java/{{folder}}/{{Kind}}OperatorTest.java", "OperatorTest.java");
    }

    /** The templates by the paths of the files that are made of them. */
    Map<String, String> files() {
        return files;
    }
}
