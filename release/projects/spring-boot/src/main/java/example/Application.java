package example;

import dev.kopf4j.OnCreate;
import dev.kopf4j.Patch;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** An application that labels config maps. */
@SpringBootApplication
public class Application {
    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    /** A bean with a handler. */
    @Component
    static class Labels {
        final CountDownLatch called = new CountDownLatch(1);

        @OnCreate("configmaps")
        void create(String name, Patch patch) {
            patch.label("seen", "yes");
            called.countDown();
        }
    }
}
