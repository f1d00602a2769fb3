package dev.kopf4j.cli.source;

import javax.tools.ForwardingJavaFileObject;
import javax.tools.JavaFileObject;

/** A source file whose public class may have any name, as when the {@code java} launcher runs it. */
final class SourceFile extends ForwardingJavaFileObject<JavaFileObject> {
    private final int position;

    SourceFile(JavaFileObject file, int position) {
        super(file);
        this.position = position;
    }

    /** Returns its position among the sources of the compilation. */
    int position() {
        return position;
    }

    /** Javac also asks this for {@code package-info}, and warns if a package has several. */
    @Override
    public boolean isNameCompatible(String simpleName, Kind kind) {
        return kind == Kind.SOURCE && (!simpleName.equals("package-info") || super.isNameCompatible(simpleName, kind));
    }
}
