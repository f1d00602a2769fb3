package dev.kopf4j.types.source;

import dev.kopf4j.types.text.UnfitException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes the records of a definition: one for each version, with all others inside. Used once. */
public final class ResourceSource {
    private static final Set<String> COMMON = Set.of("apiVersion", "kind", "metadata");

    /** RFC 1035, in any case; versions have no capitals, but that is for the server to say. */
    private static final Pattern LABEL = Pattern.compile("[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?");

    private final Map<?, ?> spec;
    private final String modifier;
    private final Imports imports = new Imports();

    /**
     * The source of a definition.
     *
     * @param definition the definition
     * @param isPublic true if the records are to be seen outside of their package
     * @throws UnfitException if it is none
     */
    public ResourceSource(Map<?, ?> definition, boolean isPublic) {
        if (!"CustomResourceDefinition".equals(definition.get("kind"))
                || !(definition.get("spec") instanceof Map<?, ?> found)) {
            throw new UnfitException("not a custom resource definition: " + definition.get("kind")
                    + "; give the YAML of" + " definitions, as `kubectl get crd NAME -o yaml` prints it");
        }
        this.spec = found;
        this.modifier = isPublic ? "public " : "";
    }

    /** The records by their names. */
    public Map<String, JavaFile> files() {
        Map<String, JavaFile> files = new LinkedHashMap<>();
        List<?> versions = spec.get("versions") instanceof List<?> list ? list : List.of();
        for (Object version : versions) {
            JavaFile file = file((Map<?, ?>) version, versions.size() > 1);
            files.put(file.name(), file);
        }
        return files;
    }

    private JavaFile file(Map<?, ?> version, boolean several) {
        String suffix = label("a version", version.get("name"));
        String kind = label("spec.names.kind", names().get("kind"));
        String name = JavaNames.type(several ? kind + "-" + suffix : kind, Set.of());
        Imports own = new Imports();
        Map<String, Object> root = root(version);
        ResourceAnnotation annotation = new ResourceAnnotation(spec, version, own);
        String head = annotation.text(name, several, root) + "\n" + schema(root, own) + modifier;
        imports.addAll(own);
        String code = new RecordSource(name, root, own, "", RecordSource.Part.WHOLE).write(Set.of(), head);
        return new JavaFile(name, own.lines(), code);
    }

    /** What no server would take might lead out of a folder, or out of the head of a record. */
    private static String label(String what, @Nullable Object value) {
        if (!(value instanceof String text) || !LABEL.matcher(text).matches()) {
            throw new UnfitException(what + " of the definition cannot be the name of a record: "
                    + JavaText.literal(String.valueOf(value))
                    + "; it has letters, digits and hyphens, and begins with a letter");
        }
        return text;
    }

    /** Objects without the fields that all have. */
    private static Map<String, Object> root(Map<?, ?> version) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("type", "object");
        if (version.get("schema") instanceof Map<?, ?> schema
                && schema.get("openAPIV3Schema") instanceof Map<?, ?> own) {
            own.forEach((key, value) -> root.put(String.valueOf(key), value));
        }
        Map<Object, Object> fields = new LinkedHashMap<>();
        if (root.get("properties") instanceof Map<?, ?> all) {
            fields.putAll(all);
        }
        fields.keySet().removeAll(COMMON);
        root.put("properties", fields);
        if (root.get("required") instanceof List<?> required) {
            List<Object> rest = new ArrayList<>(required);
            rest.removeAll(COMMON);
            root.put("required", rest);
        }
        return root;
    }

    private static String schema(Map<String, Object> root, Imports own) {
        Map<String, Object> base = new LinkedHashMap<>();
        base.put("type", "object");
        base.put("properties", root.get("properties"));
        Map<String, Object> wanted = new LinkedHashMap<>(root);
        if (wanted.get("required") instanceof List<?> required) {
            List<?> described = RecordSource.required(root);
            base.put("required", described.isEmpty() && required.isEmpty() ? required : described);
        }
        List<String> flags = new ArrayList<>();
        if (Boolean.TRUE.equals(root.get("x-kubernetes-preserve-unknown-fields"))) {
            flags.add("preserveUnknownFields = true");
            base.put("x-kubernetes-preserve-unknown-fields", true);
        }
        if (wanted.get("description") instanceof String text && CommentText.keeps(text)) {
            wanted.remove("description");
        }
        String annotation = SchemaText.of(wanted, base, flags, own);
        return annotation.isEmpty() ? "" : annotation.strip() + "\n";
    }

    private Map<?, ?> names() {
        return spec.get("names") instanceof Map<?, ?> names ? names : Map.of();
    }
}
