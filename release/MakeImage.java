import java.io.PrintWriter;
import java.util.ServiceLoader;
import java.util.spi.ToolProvider;

/** Makes an image by the tool of the distribution, which lies on the class path: options as there, each with a value. */
class MakeImage {
    public static void main(String[] arguments) {
        ToolProvider tool = ServiceLoader.load(ToolProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.name().equals("kopf4j-image"))
                .findFirst()
                .orElseThrow();
        System.exit(tool.run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), arguments));
    }
}
