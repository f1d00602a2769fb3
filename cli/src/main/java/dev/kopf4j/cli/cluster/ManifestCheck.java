package dev.kopf4j.cli.cluster;

import dev.kopf4j.cli.process.CommandException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Tells whether a file has Kubernetes objects, or is YAML of another program, or no YAML at all. Pure. */
final class ManifestCheck {
    private ManifestCheck() {}

    /**
     * True if each document of the text is a Kubernetes object; false for the files of other programs, such as
     * {@code kustomization.yaml}, {@code Chart.yaml}, {@code values.yaml}.
     *
     * @throws CommandException if the text is not YAML; the message has the file's name and the line
     */
    static boolean hasObjectsOnly(Path file, String text) {
        return documents(file, text).stream().allMatch(ManifestCheck::isObject);
    }

    private static List<Object> documents(Path file, String text) {
        var settings = LoadSettings.builder().setLabel(file.toString()).build();
        var documents = new ArrayList<Object>();
        try {
            new Load(settings).loadAllFromString(text).forEach(document -> {
                if (document != null) { // between two lines of dashes
                    documents.add(document);
                }
            });
        } catch (MarkedYamlEngineException e) {
            String position = e.getProblemMark().map(ManifestCheck::position).orElse("");
            throw CommandException.usage("The manifest " + file + " is not YAML" + position + ": " + e.getProblem());
        } catch (YamlEngineException e) {
            throw CommandException.usage("The manifest " + file + " is not YAML: " + e.getMessage());
        }
        return documents;
    }

    private static String position(Mark mark) {
        return ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + "\n" + mark.createSnippet();
    }

    private static boolean isObject(Object document) {
        return document instanceof Map<?, ?> object
                && object.get("apiVersion") instanceof String version
                && object.get("kind") instanceof String
                && !version.startsWith("kustomize.config.k8s.io/");
    }
}
