import dev.kopf4j.image.ImageTool;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.NullMarked;

/** Makes container images without a container engine, as a tool in the sense of the JDK. Its classes are not an API. */
@NullMarked
module dev.kopf4j.image {
    requires static transitive org.jspecify;
    requires static com.fasterxml.jackson.databind; // annotations on Jib's classes
    requires com.google.cloud.tools.jib;
    requires com.google.cloud.tools.jib.api.buildplan;
    requires org.apache.commons.compress;
    requires tools.jackson.databind;

    provides ToolProvider with
            ImageTool;
}
