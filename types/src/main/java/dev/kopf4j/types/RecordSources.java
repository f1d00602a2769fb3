package dev.kopf4j.types;

import dev.kopf4j.types.source.JavaFile;
import dev.kopf4j.types.source.ResourceSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The Java sources of definitions: a record for each version, whose definition is the same again. Pure. */
public final class RecordSources {
    private RecordSources() {}

    /**
     * A source file for each version of each definition, by the names of the files.
     *
     * @param definitions definitions as YAML has them
     * @param packageName the package; empty for none, and for records that are seen in their own package only
     * @throws TypeException if something is no definition, or cannot be a record
     */
    public static Map<String, String> files(List<? extends Map<?, ?>> definitions, String packageName) {
        Map<String, String> files = new LinkedHashMap<>();
        for (JavaFile file : written(definitions, !packageName.isEmpty())) {
            String head = packageName.isEmpty() ? "" : "package " + packageName + ";\n\n";
            files.put(file.name() + ".java", head + file.imports() + "\n" + file.code());
        }
        return files;
    }

    /**
     * All of them in one source file without a package.
     *
     * @throws TypeException if something is no definition, or cannot be a record
     */
    public static String together(List<? extends Map<?, ?>> definitions) {
        List<JavaFile> written = written(definitions, false);
        TreeSet<String> imports = new TreeSet<>();
        written.forEach(file -> imports.addAll(file.imports().lines().toList()));
        return String.join("\n", imports) + "\n\n"
                + written.stream().map(JavaFile::code).collect(Collectors.joining("\n"));
    }

    private static List<JavaFile> written(List<? extends Map<?, ?>> definitions, boolean isPublic) {
        return TypeException.unless(() -> definitions.stream()
                .flatMap(each -> new ResourceSource(each, isPublic).files().values().stream())
                .toList());
    }
}
